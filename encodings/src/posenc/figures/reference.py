"""The reference figure: matplotlib on fixed axes, for first paint, print and download.

`Figure` objects with a canvas of their own, never pyplot, whose global state is not safe in
threads. Equal data give equal bytes: no date, no random ids, one font.
"""

import io
import re
import threading
from dataclasses import replace
from textwrap import wrap
from typing import TYPE_CHECKING, Any, Literal

from posenc.errors import ParameterError
from posenc.figures.circles import place as place_circles
from posenc.figures.describe import describe
from posenc.figures.palettes import INKS, Ink, Scheme
from posenc.figures.panels import place as place_panels
from posenc.figures.panels import x_named
from posenc.figures.picture import require_scheme_and_width
from posenc.figures.reference_plots import (
    DPI,
    LABEL,
    TICK,
    draw_circle,
    draw_colour_bar,
    draw_curves,
    draw_heatmap,
    name_curves,
    points,
)
from posenc.figures.svg import attribute
from posenc.views import ViewData

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

File = Literal["svg", "png", "pdf"]

SETTINGS: dict[Any, Any] = {
    "font.family": "DejaVu Sans",
    "svg.hashsalt": "posenc",
    "pdf.fonttype": 42,
}
DATELESS: dict[File, dict[str, Any]] = {
    "svg": {"Date": None, "Creator": "posenc"},
    "png": {"Software": "posenc"},
    "pdf": {"CreationDate": None, "Producer": "posenc", "Creator": "posenc"},
}
LEFT, RIGHT, BOTTOM = 62, 92, 54  # px beside and below the plot
EDGE = 24  # px right of a plot without a colour bar
TITLE = 17  # px
TITLE_LINE, LINE = 22, 17  # px from one line to the next
LEGEND = 20  # px above panels

_one_at_a_time = threading.Lock()  # settings of matplotlib are global


def draw(
    view_data: ViewData, *, scheme: Scheme = "light", file: File = "svg", width_px: int = 720
) -> bytes:
    """Return the figure as a file. Raises ParameterError for a scheme, file or width it has not."""
    require_scheme_and_width(scheme, width_px)
    if file not in DATELESS:
        raise ParameterError("file", file, "must be one of svg, png, pdf")
    import matplotlib as mpl

    with _one_at_a_time, mpl.rc_context(SETTINGS):
        figure = build(view_data, scheme=scheme, width_px=width_px)
        return _save(figure, file, describe(view_data))


def build(view_data: ViewData, *, scheme: Scheme, width_px: int) -> "Figure":
    """Return the figure, its axes at fixed places: plot first, colour bar second."""
    from matplotlib.figure import Figure

    ink = INKS[scheme]
    title, lines = _words_above(view_data, width_px)
    top = 14 + TITLE_LINE * len(title) + LINE * len(lines) + 14
    if view_data.kind in {"panels", "circles"}:
        figure, place = _several(view_data, scheme, width_px, top)
        _head(figure, title, lines, place, ink)
        return figure
    plot_width = width_px - LEFT - (RIGHT if view_data.kind == "heatmap" else EDGE)
    plot_height = min(max(round(plot_width * 0.53), 200), 420)
    height_px = top + plot_height + BOTTOM
    figure = Figure(figsize=(width_px / DPI, height_px / DPI), dpi=DPI, facecolor=ink.paper)
    place = (width_px, height_px)
    plot = _axes(figure, (LEFT, BOTTOM, plot_width, plot_height), place, ink)
    if view_data.kind == "curves":
        draw_curves(plot, view_data, ink, plot_width)
    else:
        draw_heatmap(plot, view_data, scheme, (plot_width, plot_height))
        bar = _axes(figure, (width_px - RIGHT + 14, BOTTOM, 16, plot_height), place, ink)
        draw_colour_bar(bar, view_data, scheme, ink)
    _dress(plot, view_data, ink)
    _head(figure, title, lines, place, ink)
    return figure


def _several(
    view_data: ViewData, scheme: Scheme, width_px: int, top: int
) -> tuple["Figure", tuple[int, int]]:
    """Return a figure of panels or circles where the live picture has them, below the words."""
    from matplotlib.figure import Figure

    ink = INKS[scheme]
    if view_data.kind == "panels":
        lines = -(-len(view_data.panels[0].series) // _names_in_a_line(width_px))
        boxes, height = place_panels(view_data, width_px, top + LEGEND * lines, (LEFT, EDGE))
    else:
        boxes, height = place_circles(len(view_data.values), width_px)
        boxes, height = tuple(box.lowered(top) for box in boxes), height + top
    figure = Figure(figsize=(width_px / DPI, height / DPI), dpi=DPI, facecolor=ink.paper)
    size = (width_px, height)
    for one, box in enumerate(boxes):
        axes = _axes(figure, (box.x, height - box.bottom, box.width, box.height), size, ink)
        if view_data.kind == "circles":
            draw_circle(axes, view_data, one, ink)
            continue
        panel = view_data.panels[one]
        draw_curves(axes, panel, ink, box.width, named=False)
        axes.set_title(panel.title, loc="left", color=ink.text, fontsize=points(LABEL))
        named = box.bottom == boxes[-1].bottom
        _dress(axes, replace(panel, x=x_named(panel.x, named=named)), ink)
        if one == 0:
            columns = _names_in_a_line(width_px)
            name_curves(axes, panel, ink, above=22 / box.height, columns=columns)
    return figure, size


def _names_in_a_line(width_px: int) -> int:
    return max(1, (width_px - LEFT) // 145)


def _axes(
    figure: "Figure", box: tuple[float, float, float, float], place: tuple[int, int], ink: Ink
) -> "Axes":
    """Return axes at (left, bottom, width, height) px of a figure `place` px large."""
    width, height = place
    shares = (box[0] / width, box[1] / height, box[2] / width, box[3] / height)
    axes = figure.add_axes(shares, facecolor=ink.paper)
    axes.tick_params(which="both", color=ink.soft, labelcolor=ink.text, labelsize=points(TICK))
    for spine in axes.spines.values():
        spine.set_color(ink.soft)
    return axes


def _dress(plot: "Axes", view_data: ViewData, ink: Ink) -> None:
    """Put ticks, labels and limits where the data says, y downwards for a heatmap."""
    x, y = view_data.x, view_data.y
    plot.set_xticks(x.ticks, x.tick_labels)
    plot.set_xticks(x.minor_ticks, minor=True)
    plot.set_yticks(y.ticks, y.tick_labels)
    plot.set_yticks(y.minor_ticks, minor=True)
    plot.set_xlim(*x.limits)
    plot.set_ylim(*(reversed(y.limits) if view_data.kind == "heatmap" else y.limits))
    plot.set_xlabel(x.label, color=ink.text, fontsize=points(LABEL))
    plot.set_ylabel(y.label, color=ink.text, fontsize=points(LABEL))


def _words_above(view_data: ViewData, width_px: int) -> tuple[list[str], list[str]]:
    """Return the lines of the title and the lines under it, none too long for the width."""
    room = width_px - LEFT - 12
    title = wrap(view_data.title, int(room / (TITLE * 0.63)))
    letters = int(room / (TICK * 0.55))
    return title, wrap(view_data.subtitle, letters) + wrap(view_data.finding, letters)


def _head(
    figure: "Figure", title: list[str], lines: list[str], place: tuple[int, int], ink: Ink
) -> None:
    width, height = place
    down = 8.0
    for line in title:
        down += TITLE_LINE
        at = (LEFT / width, 1 - down / height)
        figure.text(*at, line, color=ink.text, fontsize=points(TITLE), weight="bold")
    down += 3
    for line in lines:
        down += LINE
        figure.text(LEFT / width, 1 - down / height, line, color=ink.text, fontsize=points(TICK))


def _save(figure: "Figure", file: File, alt: str) -> bytes:
    buffer = io.BytesIO()
    dpi = 2 * DPI if file == "png" else DPI
    metadata = {**DATELESS[file], **({"Description": alt} if file != "pdf" else {"Subject": alt})}
    figure.savefig(buffer, format=file, dpi=dpi, metadata=metadata)
    data = buffer.getvalue()
    return _without_styles(data.decode(), alt).encode() if file == "svg" else data


def _without_styles(svg: str, alt: str) -> str:
    """Return the SVG with presentation attributes for styles: a strict policy drops styles."""
    svg = re.sub(r"<style[^>]*>.*?</style>", "", svg, flags=re.DOTALL)
    svg = re.sub(r'(width|height)="([0-9.]+)pt"', _in_px, svg, count=2)
    svg = re.sub(r' style="([^"]*)"', _as_attributes, svg)
    names = attribute("role", "img") + attribute("aria-label", alt)
    joins = attribute("stroke-linejoin", "round") + attribute("stroke-linecap", "butt")
    return svg.replace("<svg ", f"<svg{names}{joins} ", 1)


def _as_attributes(style: re.Match[str]) -> str:
    pairs = dict(one.split(":", 1) for one in style[1].split(";") if ":" in one)
    return "".join(attribute(name.strip(), value.strip()) for name, value in pairs.items())


def _in_px(size: re.Match[str]) -> str:
    return attribute(size[1], f"{float(size[2]) * DPI / 72:g}").strip()
