"""The reference figure: matplotlib on fixed axes, for first paint, print and download.

`Figure` objects with a canvas of their own, never pyplot, whose global state is not safe in
threads. Equal data give equal bytes: no date, no random ids, one font.
"""

import io
import threading
from dataclasses import replace
from textwrap import wrap
from typing import TYPE_CHECKING

from posenc.column_kinds import columns_for
from posenc.errors import ParameterError
from posenc.figures.describe import describe
from posenc.figures.heatmap import size_for, tall_for, width_in
from posenc.figures.keys import Key, height_of_keys, keys_of
from posenc.figures.layout import panels_for
from posenc.figures.marks import above
from posenc.figures.palettes import Scheme
from posenc.figures.picture import require_data, require_scheme_and_width
from posenc.figures.reference_files import DATELESS, SETTINGS, File, save
from posenc.figures.reference_marks import draw_edges, draw_zones
from posenc.figures.reference_panels import draw_circles, draw_panels, sides_of
from posenc.figures.reference_plots import (
    draw_circle,
    draw_colour_bar,
    draw_curves,
    draw_heatmap,
)
from posenc.figures.reference_sheet import (
    HEAD_LINE,
    LEFT,
    TICK,
    TITLE,
    TITLE_LINE,
    Sheet,
    dress,
    new_sheet,
)
from posenc.figures.scene import Box
from posenc.views import ViewData

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["File", "build", "draw", "draw_small"]

RIGHT, BOTTOM = 92, 54  # px beside a heatmap and below the plot
EDGE = 24  # px right of curves
MOST_CIRCLES = 6  # of a small picture

_one_at_a_time = threading.Lock()  # settings of matplotlib are global


def draw(
    view_data: ViewData, *, scheme: Scheme = "light", file: File = "svg", width_px: int = 720
) -> bytes:
    """Return the figure as a file. Raises ParameterError for an unknown scheme, file or width."""
    require_scheme_and_width(scheme, width_px)
    require_data(view_data)
    if not isinstance(file, str) or file not in DATELESS:
        raise ParameterError("file", file, "must be one of svg, png, pdf")
    import matplotlib as mpl

    with _one_at_a_time, mpl.rc_context(SETTINGS):
        figure = build(view_data, scheme=scheme, width_px=width_px)
        return save(figure, file, describe(view_data))


def draw_small(view_data: ViewData, *, scheme: Scheme, width_px: int, height_px: int) -> bytes:
    """Return the plot alone as a PNG, without axes and words: for lists, and the eye alone.

    Of panels the first is drawn, of circles the first six.
    """
    import matplotlib as mpl

    with _one_at_a_time, mpl.rc_context(SETTINGS):
        sheet = new_sheet(width_px, height_px, scheme)
        if view_data.kind == "circles":
            _fill_with_circles(sheet, view_data)
        else:
            _fill_with_plot(sheet, view_data.panels[0] if view_data.panels else view_data, scheme)
        file = io.BytesIO()
        sheet.figure.savefig(file, format="png", metadata=DATELESS["png"])
        return file.getvalue()


def _fill_with_plot(sheet: Sheet, view_data: ViewData, scheme: Scheme) -> None:
    view_data = replace(view_data, cursor=None, band=None)
    axes = sheet.axes(Box(0, 0, sheet.width, sheet.height))
    axes.set_axis_off()
    if view_data.kind == "heatmap":
        draw_heatmap(axes, view_data, scheme, (sheet.width, sheet.height))
    else:
        draw_curves(axes, view_data, sheet.ink, sheet.width, named=False)
        axes.set_xlim(*view_data.x.limits)
        axes.set_ylim(*view_data.y.limits)


def _fill_with_circles(sheet: Sheet, view_data: ViewData) -> None:
    count = min(MOST_CIRCLES, len(view_data.values))
    columns = min(3, count)
    side = min(sheet.width // columns, sheet.height // -(-count // columns))
    left = (sheet.width - side * columns) / 2
    for row in range(count):
        x, y = left + side * (row % columns), side * (row // columns)
        axes = sheet.axes(Box(x + side / 8, y + side / 8, side * 3 / 4, side * 3 / 4))
        draw_circle(axes, view_data, row, sheet.ink)
        axes.set_title("")


def build(view_data: ViewData, *, scheme: Scheme, width_px: int) -> "Figure":
    """Return the figure, its axes at fixed places: plots first, colour bars after them."""
    view_data = _as_drawn(view_data, width_px)
    title, lines = _words_above(view_data, width_px)
    top = 14 + TITLE_LINE * len(title) + HEAD_LINE * len(lines) + 14
    keys = keys_of(view_data, width_px - LEFT - EDGE)
    if view_data.kind == "panels":
        sheet = draw_panels(view_data, scheme, width_px, top, keys)
    elif view_data.kind == "circles":
        sheet = draw_circles(view_data, scheme, width_px, top)
    else:
        sheet = _draw_one(view_data, scheme, width_px, top + above(view_data), keys)
    sheet.head(title, lines)
    return sheet.figure


def _as_drawn(view_data: ViewData, width_px: int) -> ViewData:
    """Return the data with columns grouped that would be too narrow."""
    if view_data.kind == "panels":
        return panels_for(view_data, width_px, sides_of(view_data))
    return columns_for(view_data, width_in(width_px - LEFT - RIGHT))


def _draw_one(
    view_data: ViewData, scheme: Scheme, width: int, top: int, keys: tuple[Key, ...]
) -> Sheet:
    """Return a sheet with one plot below `top` px."""
    is_map = view_data.kind == "heatmap"
    room = width - LEFT - (RIGHT if is_map else EDGE)
    tall = min(max(round(room * 0.53), 200), 420)
    plot = Box(LEFT, top, room, tall)
    if is_map:
        tall = tall_for(view_data, tall, room)
        plot = Box(LEFT, top, *size_for(view_data, tall, room))
    sheet = new_sheet(width, round(plot.bottom) + BOTTOM + height_of_keys(keys), scheme)
    axes, size = sheet.axes(plot), (plot.width, plot.height)
    if is_map:
        draw_heatmap(axes, view_data, scheme, size)
        bar = sheet.axes(Box(plot.x + plot.width + 14, top, 16, plot.height))
        draw_colour_bar(bar, view_data, scheme, sheet.ink)
        draw_edges(axes, view_data, sheet.ink)
    else:
        draw_curves(axes, view_data, sheet.ink, plot.width)
    draw_zones(axes, view_data, sheet.ink, size)
    dress(axes, view_data, sheet.ink)
    sheet.keys(keys, plot.bottom + BOTTOM)
    return sheet


def _words_above(view_data: ViewData, width_px: int) -> tuple[list[str], list[str]]:
    """Return the lines of the title and the lines under it, none too long for the width."""
    room = width_px - LEFT - 12
    title = wrap(view_data.title, int(room / (TITLE * 0.63)))
    letters = int(room / (TICK * 0.55))
    return title, wrap(view_data.subtitle, letters) + wrap(view_data.finding, letters)
