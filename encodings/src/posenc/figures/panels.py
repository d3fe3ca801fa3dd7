"""Live panels: heatmaps and curves below or beside each other, one legend for all of them."""

from posenc.column_kinds import note_of_groups
from posenc.figures.axes import LABEL_SIZE, Box, colour_bar, left_of, x_axis, y_axis
from posenc.figures.curves import curves_in, legend
from posenc.figures.describe import describe
from posenc.figures.heatmap import KEYS_LEFT, cells_in
from posenc.figures.keys import height_of_keys, keys_of
from posenc.figures.layout import Layout, lay_out, panels_for, series_of, x_named
from posenc.figures.marks import above, keys_below, zone_marks
from posenc.figures.palettes import INKS, PALETTES, Ink, Scheme
from posenc.figures.picture import TOP, LivePicture, document, right_of_plot
from posenc.figures.svg import Attributes, text
from posenc.views import Axis, ViewData


def draw_panels(view_data: ViewData, scheme: Scheme, width_px: int) -> LivePicture:
    """Return the picture of panels at the width it is shown at."""
    left = max(left_of(panel.y) for panel in view_data.panels)
    right = max(right_of_plot(panel.x) for panel in view_data.panels)
    asked, view_data = view_data, panels_for(view_data, width_px, (left, right))
    ink, panels = INKS[scheme], view_data.panels
    over = above(view_data)
    names, top = legend(series_of(view_data), left, width_px - left - right, ink)
    layout = lay_out(view_data, width_px, TOP + top, (left, right))
    keys = keys_of(view_data, width_px - 2 * KEYS_LEFT)
    parts = list(names)
    notes = [
        note_of_groups(*both) for both in zip(asked.panels, panels, strict=True) if both[0].kinds
    ]
    for panel, plot, named in zip(panels, layout.plots, layout.named, strict=True):
        inside, note = _inside(panel, plot, scheme)
        notes.append(note)
        parts += inside
        x = x_named(panel.x, named=named)
        parts += [_title(panel, plot, over, ink), *_axes(panel, x, plot, width_px, ink)]
        if panel.kind == "heatmap" and layout.bars == "own":
            parts += colour_bar(panel, PALETTES[panel.scale][scheme][1], plot, ink)
    parts += _shared_bar(view_data, layout, scheme)
    parts += keys_below(keys, KEYS_LEFT, layout.height, ink)
    note = " ".join(dict.fromkeys(one for one in notes if one))
    alt = f"{describe(view_data)} {note}".strip()
    rows, columns = view_data.values.shape
    height = layout.height + height_of_keys(keys)
    svg = document(parts, width_px, height, alt)
    size, words, plots = (width_px, height), (alt, note), layout.plots
    return LivePicture(svg, None, *size, plots[0], rows, columns, *words, plots, view_data)


def _inside(panel: ViewData, plot: Box, scheme: Scheme) -> tuple[list[str], str]:
    if panel.kind == "heatmap":
        cells = cells_in(panel, plot, scheme)
        return cells.parts, cells.note
    ink = INKS[scheme]
    return [*curves_in(plot, panel, ink), *zone_marks(panel, plot, ink)], ""


def _title(panel: ViewData, plot: Box, over: int, ink: Ink) -> str:
    name: Attributes = {"font_size": LABEL_SIZE, "font_weight": "bold", "fill": ink.text}
    return text(panel.title, plot.x, plot.y - 8 - over, **name)


def _axes(panel: ViewData, x: Axis, plot: Box, width: int, ink: Ink) -> list[str]:
    return [
        *x_axis(x, plot, width, ink),
        *y_axis(panel.y, plot, ink, downward=panel.kind == "heatmap"),
    ]


def _shared_bar(view_data: ViewData, layout: Layout, scheme: Scheme) -> list[str]:
    if layout.bars != "shared":
        return []
    first = next(panel for panel in view_data.panels if panel.kind == "heatmap")
    return colour_bar(first, PALETTES[first.scale][scheme][1], layout.row, INKS[scheme])
