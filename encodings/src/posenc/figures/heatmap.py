"""Live heatmaps: a palette PNG under axes in SVG."""

from dataclasses import dataclass

import numpy as np

from posenc.column_kinds import columns_for, note_of_groups
from posenc.figures.axes import Box, colour_bar, frame, left_of, picture, x_axis, y_axis
from posenc.figures.cells import Values, cells_drawn, colour_indices
from posenc.figures.describe import describe
from posenc.figures.keys import height_of_keys, keys_of
from posenc.figures.marks import above, edge_marks, keys_below, zone_marks
from posenc.figures.palettes import INKS, PALETTES, Ink, Scheme
from posenc.figures.picture import (
    RIGHT,
    TOP,
    LivePicture,
    document,
    height_of_plot,
)
from posenc.figures.png import palette_png
from posenc.figures.svg import Attributes, element
from posenc.views import ViewData

SMALLEST_FREE_CELL = 6.0  # px; smaller cells get whole pixels: rows of 1 and 2 px make moire

NARROW = 500  # px of a plot on a phone
TALLEST = 680  # px, on a screen that has room for it
BELOW = 76  # px under the plot: ticks, label, colour bar
BAR_TICKS = 20  # px more for ticks of the colour bar
KEYS_LEFT = 13  # px


@dataclass(frozen=True)
class Cells:
    """The inside of a heatmap: its elements, the plot as a PNG, and the meaning of a pixel."""

    parts: list[str]
    png: bytes
    note: str


def draw_heatmap(view_data: ViewData, scheme: Scheme, width_px: int) -> LivePicture:
    """Return the picture of one heatmap at the width it is shown at."""
    asked, room = view_data, room_of(view_data, width_px)
    view_data = columns_for(asked, width_in(room))
    rows, columns = view_data.values.shape
    ink, (_, palette) = INKS[scheme], PALETTES[view_data.scale][scheme]
    keys = keys_of(view_data, width_px - 2 * KEYS_LEFT)
    plot, height = _place(view_data, width_px)
    cells = cells_in(view_data, plot, scheme)
    below = plot.bottom + BELOW + (BAR_TICKS if view_data.bar_ticks else 0)
    parts = [
        *cells.parts,
        *x_axis(view_data.x, plot, width_px, ink),
        *y_axis(view_data.y, plot, ink, downward=True),
        *colour_bar(view_data, palette, plot, ink),
        *keys_below(keys, KEYS_LEFT, below, ink),
    ]
    note = f"{note_of_groups(asked, view_data)} {cells.note}".strip()
    alt = f"{describe(view_data)} {note}".strip()
    height += height_of_keys(keys)
    svg = document(parts, width_px, height, alt)
    return LivePicture(
        svg, cells.png, width_px, height, plot, rows, columns, alt, note, (plot,), view_data
    )


def cells_in(view_data: ViewData, plot: Box, scheme: Scheme) -> Cells:
    """Return everything inside the frame of a heatmap, and the numbers of its zones above it."""
    ink, (_, palette) = INKS[scheme], PALETTES[view_data.scale][scheme]
    shown, note = cells_drawn(view_data, plot.width, plot.height)
    png = palette_png(colour_indices(shown, view_data.limits, view_data.bend), palette)
    parts = [
        picture(png, plot),
        *_cover(shown, plot, ink),
        frame(plot, ink),
        *edge_marks(view_data, plot, ink),
        *zone_marks(view_data, plot, ink),
        *_outline(view_data, plot),
    ]
    return Cells(parts, png, note)


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
    """Return how many px to use for so many rows: as many as there are, or whole px for each."""
    if room / cells >= SMALLEST_FREE_CELL:
        return room
    if cells <= room:
        return room // cells * cells
    behind_one_px = -(-cells // room)
    return -(-cells // behind_one_px)


def height_for(rows: int, tall: int, room: int) -> int:
    """Return the height of a plot `tall` px for its rows: more for many rows, on a wide screen."""
    most = 2 * tall if room < NARROW else max(2 * tall, TALLEST)
    return whole_pixels(tall if rows <= tall else most, rows)


def _cover(shown: Values, plot: Box, ink: Ink) -> list[str]:
    """Return a cover over the cells that have no number."""
    without = np.isnan(shown)
    if not without.any():
        return []
    colour = bytes.fromhex(ink.masked[1:])
    cover = palette_png(without.astype(np.uint8), 2 * colour, opacities=bytes((0, 255)))
    return [picture(cover, plot)]


def _place(view_data: ViewData, width: int) -> tuple[Box, int]:
    """Return where the cells go, and the height of the picture without its keys.

    The height stays the same while a slider adds rows, until they no longer fit.
    """
    rows, left = len(view_data.values), left_of(view_data.y)
    room = room_of(view_data, width)
    tall = height_of_plot(room)
    plot_height = height_for(rows, tall, room)
    top = TOP + above(view_data)
    plot = Box(left, top, width_in(room), plot_height)
    below = BELOW + (BAR_TICKS if view_data.bar_ticks else 0)
    return plot, top + max(tall, plot_height) + below


def _outline(view_data: ViewData, plot: Box) -> list[str]:
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
        element("rect", stroke="#ffffff", stroke_width=4, **at, **size),
        element("rect", stroke="#000000", stroke_width=2, **at, **size),
    ]
