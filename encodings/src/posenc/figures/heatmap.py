"""Live heatmaps: cells in the colours of a palette, axes around them."""

from dataclasses import dataclass

import numpy as np

from posenc.column_kinds import columns_for, note_of_groups
from posenc.figures.axes import colour_bar, frame, left_of, x_axis, y_axis
from posenc.figures.cells import Values, cells_drawn, colour_indices
from posenc.figures.keys import height_of_keys, keys_of
from posenc.figures.marks import above, edge_marks, keys_below, zone_marks
from posenc.figures.picture import RIGHT, TALLEST_PLOT, TOP, height_of_plot
from posenc.figures.scene import Attributes, Box, Cells, Part, Scene, shape
from posenc.views import ViewData

SMALLEST_FREE_CELL = 6.0  # px; smaller cells get whole pixels: rows of 1 and 2 px make moire

NARROW = 500  # px of a plot on a phone
TALLEST = 680  # px, on a screen that has room for it
BELOW = 76  # px under the plot: ticks, label, colour bar
BAR_TICKS = 20  # px more for ticks of the colour bar
KEYS_LEFT = 13  # px


@dataclass(frozen=True)
class Inside:
    """What stands inside the frame of a heatmap, and the meaning of a pixel."""

    parts: list[Part]
    note: str


def heatmap_scene(view_data: ViewData, width_px: int) -> Scene:
    """Return the scene of one heatmap at the width it is shown at."""
    asked, room = view_data, room_of(view_data, width_px)
    view_data = columns_for(asked, width_in(room))
    rows, columns = view_data.values.shape
    keys = keys_of(view_data, width_px - 2 * KEYS_LEFT)
    plot, height = _place(view_data, width_px)
    inside = cells_in(view_data, plot)
    below = plot.bottom + BELOW + (BAR_TICKS if view_data.bar_ticks else 0)
    parts = [
        *inside.parts,
        *x_axis(view_data.x, plot, width_px),
        *y_axis(view_data.y, plot, downward=True),
        *colour_bar(view_data, plot),
        *keys_below(keys, KEYS_LEFT, below),
    ]
    note = f"{note_of_groups(asked, view_data)} {inside.note}".strip()
    height += height_of_keys(keys)
    return Scene(width_px, height, tuple(parts), (plot,), rows, columns, view_data, note)


def cells_in(view_data: ViewData, plot: Box) -> Inside:
    """Return the inside of the frame of a heatmap, and the numbers of its zones above it."""
    shown, note = cells_drawn(view_data, plot.width, plot.height)
    indices = colour_indices(shown, view_data.limits, view_data.bend)
    parts = [
        Cells("cells", plot, indices, view_data.scale),
        *_cover(shown, plot),
        frame(plot),
        *edge_marks(view_data, plot),
        *zone_marks(view_data, plot),
        *_outline(view_data, plot),
    ]
    return Inside(parts, note)


def room_of(view_data: ViewData, width_px: int) -> int:
    """Return the px between the words beside a single heatmap."""
    return width_px - left_of(view_data.y) - RIGHT


def width_in(room: float) -> int:
    """Return the width of a plot: that of its room, whatever the number of its columns.

    A plot keeps its place while a slider adds columns. It is even, so that as many sines as cosines
    meet between two px.
    """
    return int(room) // 2 * 2


def whole_pixels(room: int, cells: int) -> int:
    """Return the px for so many rows: as many as there are, or whole px for each."""
    if room / cells >= SMALLEST_FREE_CELL:
        return room
    if cells <= room:
        return room // cells * cells
    behind_one_px = -(-cells // room)
    return -(-cells // behind_one_px)


def tall_for(view_data: ViewData, tall: int, room: int) -> int:
    """Return the px to leave for a plot: `tall`, or as many as its room where cells are square."""
    return min(room, TALLEST_PLOT) if view_data.square else tall


def size_for(view_data: ViewData, tall: int, room: int) -> tuple[int, int]:
    """Return width and height of a plot for which `tall` px are left."""
    rows, columns = view_data.values.shape
    if not view_data.square:
        return width_in(room), height_for(rows, tall, room)
    most = max(rows, columns)
    side = whole_pixels(tall, most)
    return side * columns // most, side * rows // most


def height_for(rows: int, tall: int, room: int) -> int:
    """Return the height of a plot `tall` px for its rows: more for many rows, on a wide screen."""
    most = 2 * tall if room < NARROW else max(2 * tall, TALLEST)
    return whole_pixels(tall if rows <= tall else most, rows)


def _cover(shown: Values, plot: Box) -> list[Part]:
    """Return a cover over the cells that have no number."""
    without = np.isnan(shown)
    if not without.any():
        return []
    return [Cells("cells", plot, without.astype(np.uint8), "cover")]


def _place(view_data: ViewData, width: int) -> tuple[Box, int]:
    """Return the place of the cells, and the height of the picture without its keys.

    The height stays the same while a slider adds rows, until they no longer fit.
    """
    left, room = left_of(view_data.y), room_of(view_data, width)
    tall = tall_for(view_data, height_of_plot(room), room)
    plot_width, plot_height = size_for(view_data, tall, room)
    top = TOP + above(view_data)
    plot = Box(left, top, plot_width, plot_height)
    below = BELOW + (BAR_TICKS if view_data.bar_ticks else 0)
    return plot, top + max(tall, plot_height) + below


def _outline(view_data: ViewData, plot: Box) -> list[Part]:
    """Return the outline of the cursor's cell: light around dark, seen on every colour."""
    if view_data.cursor is None:
        return []
    row, column = view_data.cursor
    rows, columns = view_data.values.shape
    cell = Box(
        plot.x + plot.width * column / columns,
        plot.y + plot.height * row / rows,
        plot.width / columns,
        plot.height / rows,
    )
    width, height = max(cell.width, 7), max(cell.height, 7)
    at = {"x": cell.x + (cell.width - width) / 2, "y": cell.y + (cell.height - height) / 2}
    size: Attributes = {"width": width, "height": height, "fill": "none"}
    return [
        shape("cursor", "rect", stroke="white", stroke_width=4, **at, **size),
        shape("cursor", "rect", stroke="black", stroke_width=2, **at, **size),
    ]
