"""Panels and circles of a reference figure, where the live picture has them."""

from dataclasses import replace

from posenc.figures.axes import bar_below, left_of
from posenc.figures.circles import place as place_circles
from posenc.figures.keys import Key, height_of_keys
from posenc.figures.layout import Layout, lay_out, series_of, x_named
from posenc.figures.marks import above
from posenc.figures.palettes import Scheme
from posenc.figures.reference_marks import draw_edges, draw_zones
from posenc.figures.reference_plots import (
    draw_bar_below,
    draw_circle,
    draw_curves,
    draw_heatmap,
    name_curves,
)
from posenc.figures.reference_sheet import LABEL, LEFT, Sheet, dress, new_sheet, points
from posenc.views import ViewData

EDGE = 24  # px right of a plot without a colour bar
SEVERAL = 3  # columns; more of them need every px
LEGEND = 20  # px above panels for a line of names


def draw_panels(
    view_data: ViewData, scheme: Scheme, width: int, top: int, keys: tuple[Key, ...]
) -> Sheet:
    """Return a sheet with the panels below `top` px, and the keys below them."""
    names = series_of(view_data)
    columns = max(1, (width - LEFT) // 145)
    lines = -(-len(names) // columns)
    layout = lay_out(view_data, width, top + LEGEND * lines, sides_of(view_data))
    sheet = new_sheet(width, layout.height + height_of_keys(keys), scheme)
    first = next((one for one in view_data.panels if one.series == names), None)
    for one, (panel, box) in enumerate(zip(view_data.panels, layout.plots, strict=True)):
        axes, size = sheet.axes(box), (box.width, box.height)
        if panel.kind == "heatmap":
            draw_heatmap(axes, panel, scheme, size)
            draw_edges(axes, panel, sheet.ink)
        else:
            draw_curves(axes, panel, sheet.ink, box.width, named=False)
        draw_zones(axes, panel, sheet.ink, size)
        pad = points(8 + above(panel))
        axes.set_title(
            panel.title, loc="left", color=sheet.ink.text, fontsize=points(LABEL), pad=pad
        )
        dress(axes, replace(panel, x=x_named(panel.x, named=layout.named[one])), sheet.ink)
        if panel is first and names:
            name_curves(sheet, axes, (LEFT, top), columns)
    _bars(sheet, view_data, layout, scheme)
    sheet.keys(keys, layout.height)
    return sheet


def sides_of(view_data: ViewData) -> tuple[int, int]:
    """Return the px left and right of each panel."""
    left = max(left_of(panel.y) + 4 for panel in view_data.panels)
    return (left if view_data.panel_columns > SEVERAL else max(LEFT, left)), EDGE


def draw_circles(view_data: ViewData, scheme: Scheme, width: int, top: int) -> Sheet:
    """Return a sheet with one circle for each pair below `top` px."""
    boxes, height = place_circles(len(view_data.values), width)
    sheet = new_sheet(width, height + top, scheme)
    for one, box in enumerate(boxes):
        draw_circle(sheet.axes(box.lowered(top)), view_data, one, sheet.ink)
    return sheet


def _bars(sheet: Sheet, view_data: ViewData, layout: Layout, scheme: Scheme) -> None:
    maps = [
        (panel, plot)
        for panel, plot in zip(view_data.panels, layout.plots, strict=True)
        if panel.kind == "heatmap"
    ]
    if layout.bars == "shared":
        maps = [(maps[0][0], layout.row)]
    for panel, plot in maps:
        draw_bar_below(sheet.axes(bar_below(panel, plot)), panel, scheme, sheet.ink)
