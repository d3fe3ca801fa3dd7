"""The live picture: a palette PNG under axes in SVG, fast enough for every step of a slider.

No matplotlib here: drawing its text takes a hundred times longer than all of this together.
"""

import numpy as np

from posenc.figures.axes import Box, colour_bar, frame, picture, x_axis, y_axis
from posenc.figures.cells import Values, colour_indices, one_pixel_or_more
from posenc.figures.circles import draw_circles
from posenc.figures.curves import draw_curves
from posenc.figures.describe import describe
from posenc.figures.palettes import INKS, PALETTES, Ink, Scheme
from posenc.figures.panels import draw_panels
from posenc.figures.picture import (
    RIGHT,
    TOP,
    LivePicture,
    document,
    height_of_plot,
    left_of_plot,
    require_scheme_and_width,
)
from posenc.figures.png import palette_png
from posenc.figures.svg import Attributes, element, text
from posenc.views import ViewData

SMALLEST_FREE_CELL = 6.0  # px; smaller cells get whole pixels: columns of 1 and 2 px make moire
__all__ = ["LivePicture", "draw_live"]

BELOW = 76  # px under the plot: ticks, label, colour bar
LEGEND_BELOW, LEGEND = 76, 20  # px under the plot, if cells have no number, and its height


def draw_live(view_data: ViewData, *, scheme: Scheme = "light", width_px: int = 720) -> LivePicture:
    """Return the picture at the width it is shown at. Raises ParameterError."""
    require_scheme_and_width(scheme, width_px)
    if view_data.kind == "curves":
        return draw_curves(view_data, scheme, width_px)
    if view_data.kind == "panels":
        return draw_panels(view_data, scheme, width_px)
    if view_data.kind == "circles":
        return draw_circles(view_data, scheme, width_px)
    return _draw_heatmap(view_data, scheme, width_px)


def _draw_heatmap(view_data: ViewData, scheme: Scheme, width_px: int) -> LivePicture:
    rows, columns = view_data.values.shape
    ink, (_, palette) = INKS[scheme], PALETTES[view_data.scale][scheme]
    plot, height = _place(view_data, width_px)
    shown, note = one_pixel_or_more(view_data.values, plot.width, plot.height)
    png = palette_png(colour_indices(shown, view_data.limits, view_data.bend), palette)
    parts = [
        picture(png, plot),
        *_masked(view_data, shown, plot, ink),
        frame(plot, ink),
        *x_axis(view_data.x, plot, width_px, ink),
        *y_axis(view_data.y, plot, ink, downward=True),
        *colour_bar(view_data, palette, plot, ink),
        *_outline(view_data, plot),
    ]
    alt = f"{describe(view_data)} {note}".strip()
    svg = document(parts, width_px, height, alt)
    return LivePicture(svg, png, width_px, height, plot, rows, columns, alt, note, (plot,))


def _masked(view_data: ViewData, shown: Values, plot: Box, ink: Ink) -> list[str]:
    """Return a cover over the cells that have no number, and below the plot what that means."""
    without = np.isnan(shown)
    if not without.any():
        return []
    colour = bytes.fromhex(ink.masked[1:])
    cover = palette_png(without.astype(np.uint8), 2 * colour, opacities=bytes((0, 255)))
    y = plot.bottom + LEGEND_BELOW + (LEGEND if view_data.bar_ticks else 0)
    square = element("rect", x=plot.x, y=y, width=14, height=12, fill=ink.masked)
    return [
        picture(cover, plot),
        square,
        text(view_data.masked, plot.x + 20, y + 10.3, fill=ink.text),
    ]


def _place(view_data: ViewData, width: int) -> tuple[Box, int]:
    """Return where the cells go, and the height of the whole picture.

    The height stays the same while a slider adds rows, until they no longer fit.
    """
    rows, columns = view_data.values.shape
    left = left_of_plot(view_data.y)
    room = width - left - RIGHT
    tall = height_of_plot(room)
    plot_height = _use(tall if rows <= tall else 2 * tall, rows)
    plot = Box(left, TOP, _use(room, columns), plot_height)
    below = BELOW + (LEGEND if view_data.bar_ticks else 0)
    below += LEGEND if np.isnan(view_data.values).any() else 0
    return plot, TOP + max(tall, plot_height) + below


def _use(room: int, cells: int) -> int:
    """Return how many px to use for so many cells: as many as there are, or whole px for each."""
    if room / cells >= SMALLEST_FREE_CELL:
        return room
    if cells <= room:
        return room // cells * cells
    behind_one_px = -(-cells // room)
    return -(-cells // behind_one_px)


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
