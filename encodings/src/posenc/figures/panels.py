"""Live panels: heatmaps and curves below or beside each other, one legend for all of them."""

from posenc.column_kinds import note_of_groups
from posenc.figures.axes import colour_bar, left_of, x_axis, y_axis
from posenc.figures.curves import curves_in, legend
from posenc.figures.heatmap import KEYS_LEFT, cells_in
from posenc.figures.keys import height_of_keys, keys_of
from posenc.figures.layout import Layout, lay_out, panels_for, series_of, x_named
from posenc.figures.marks import above, keys_below, zone_marks
from posenc.figures.picture import TOP, right_of_plot
from posenc.figures.scene import LABEL_SIZE, Attributes, Box, Part, Scene, text
from posenc.views import Axis, ViewData


def panels_scene(view_data: ViewData, width_px: int) -> Scene:
    """Return the scene of panels at the width it is shown at."""
    left = max(left_of(panel.y) for panel in view_data.panels)
    right = max(right_of_plot(panel.x) for panel in view_data.panels)
    asked, view_data = view_data, panels_for(view_data, width_px, (left, right))
    panels = view_data.panels
    over = above(view_data)
    names, top = legend(series_of(view_data), left, width_px - left - right)
    layout = lay_out(view_data, width_px, TOP + top, (left, right))
    keys = keys_of(view_data, width_px - 2 * KEYS_LEFT)
    parts: list[Part] = list(names)
    notes = [
        note_of_groups(*both) for both in zip(asked.panels, panels, strict=True) if both[0].kinds
    ]
    for panel, plot, named in zip(panels, layout.plots, layout.named, strict=True):
        inside, note = _inside(panel, plot)
        notes.append(note)
        parts += inside
        x = x_named(panel.x, named=named)
        parts += [_title(panel, plot, over), *_axes(panel, x, plot, width_px)]
        if panel.kind == "heatmap" and layout.bars == "own":
            parts += colour_bar(panel, plot)
    parts += _shared_bar(view_data, layout)
    parts += keys_below(keys, KEYS_LEFT, layout.height)
    note = " ".join(dict.fromkeys(one for one in notes if one))
    rows, columns = view_data.values.shape
    height = layout.height + height_of_keys(keys)
    return Scene(width_px, height, tuple(parts), layout.plots, rows, columns, view_data, note)


def _inside(panel: ViewData, plot: Box) -> tuple[list[Part], str]:
    if panel.kind == "heatmap":
        cells = cells_in(panel, plot)
        return cells.parts, cells.note
    return [*curves_in(plot, panel), *zone_marks(panel, plot)], ""


def _title(panel: ViewData, plot: Box, over: int) -> Part:
    name: Attributes = {"font_size": LABEL_SIZE, "font_weight": "bold", "fill": "text"}
    return text("labels", panel.title, plot.x, plot.y - 8 - over, **name)


def _axes(panel: ViewData, x: Axis, plot: Box, width: int) -> list[Part]:
    return [
        *x_axis(x, plot, width),
        *y_axis(panel.y, plot, downward=panel.kind == "heatmap"),
    ]


def _shared_bar(view_data: ViewData, layout: Layout) -> list[Part]:
    if layout.bars != "shared":
        return []
    first = next(panel for panel in view_data.panels if panel.kind == "heatmap")
    return colour_bar(first, layout.row)
