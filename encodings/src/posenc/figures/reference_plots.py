"""The inside of matplotlib's axes: heatmap and colour bar, or curves and legend."""

from typing import TYPE_CHECKING, Any

import numpy as np

from posenc.figures.axes import along_bar, bar_label
from posenc.figures.cells import cells_drawn, colour_shares
from posenc.figures.circles import opacity
from posenc.figures.curves import CLOSEST_MARKS
from posenc.figures.palettes import INKS, PALETTES, Ink, Scheme
from posenc.figures.reference_sheet import LABEL, TICK, Sheet, points
from posenc.views import ViewData

if TYPE_CHECKING:
    from matplotlib.axes import Axes

DASHES: tuple[Any, ...] = ("-", "--", ":", "-.", (0, (3, 1, 1, 1, 1, 1)), (0, (1, 3)))
MARKS = "os^Dv+"


def draw_curves(
    plot: "Axes", view_data: ViewData, ink: Ink, width: float, *, named: bool = True
) -> None:
    """Draw the curves and, if there are several, their names."""
    xs = view_data.x.values
    assert xs is not None  # ViewData promises it for curves
    marked = len(xs) < 2 or width / (len(xs) - 1) >= CLOSEST_MARKS
    between = view_data.between
    for row, name in enumerate(view_data.series):
        colour = ink.series[row % len(ink.series)]
        dash, mark = DASHES[row % len(DASHES)], MARKS[row % len(MARKS)]
        line = (xs, view_data.values[row]) if between is None else (between.x, between.values[row])
        plot.plot(*line, color=colour, linestyle=dash, linewidth=1.5, label=name)
        if marked:
            plot.plot(xs, view_data.values[row], mark, color=colour, markersize=4, clip_on=False)
    if view_data.band is not None:
        low, high = view_data.band.low, view_data.band.high
        plot.axhspan(low, high, color=ink.masked, zorder=0)
        plot.annotate(
            view_data.band.label,
            (view_data.x.limits[0], high),
            xytext=(6, -12),
            textcoords="offset points",
            fontsize=points(TICK),
            color=ink.text,
        )
    plot.grid(visible=True, axis="y", color=ink.soft, alpha=0.25, linewidth=0.8)
    plot.set_axisbelow(True)
    plot.set_yscale(view_data.y.scale)
    plot.set_xscale(view_data.x.scale)
    if named and len(view_data.series) > 1:
        legend = plot.legend(fontsize=points(TICK), labelcolor=ink.text, framealpha=0.85)
        legend.get_frame().set(facecolor=ink.paper, edgecolor=ink.soft)


def name_curves(sheet: Sheet, plot: "Axes", at: tuple[float, float], columns: int) -> None:
    """Write the names of the curves on the sheet, their upper left corner `at` px."""
    sheet.figure.legend(
        *plot.get_legend_handles_labels(),
        loc="upper left",
        bbox_to_anchor=(at[0] / sheet.width, 1 - at[1] / sheet.height),
        ncols=columns,
        frameon=False,
        fontsize=points(TICK),
        labelcolor=sheet.ink.text,
        borderaxespad=0,
        borderpad=0,
        columnspacing=1.2,
    )


def draw_circle(plot: "Axes", view_data: ViewData, row: int, ink: Ink) -> None:
    """Draw one circle with a hand for each position, earlier ones faded."""
    from matplotlib.patches import Circle

    colour = ink.series[row % len(ink.series)]
    plot.add_patch(Circle((0, 0), 1, fill=False, edgecolor=ink.soft, clip_on=False))
    angles = view_data.values[row]
    for position, angle in enumerate(angles.tolist()):
        last = position == len(angles) - 1
        plot.plot(
            [0, np.cos(angle)],
            [0, np.sin(angle)],
            color=colour,
            alpha=opacity(position, len(angles)),
            linewidth=2.2 if last else 1.1,
            marker="o",
            markevery=[1],
            markersize=7 if last else 4,
            clip_on=False,
        )
    plot.set_xlim(-1, 1)
    plot.set_ylim(-1, 1)
    plot.set_axis_off()
    plot.set_title(view_data.series[row], color=ink.text, fontsize=points(LABEL))


def draw_heatmap(
    plot: "Axes", view_data: ViewData, scheme: Scheme, size: tuple[float, float]
) -> None:
    """Draw the cells, at most one for each px of `size`, and the outline of the cursor\'s."""
    from matplotlib import colormaps

    name, _ = PALETTES[view_data.scale][scheme]
    ink = INKS[scheme]
    shown, _ = cells_drawn(view_data, *size)
    shown = colour_shares(shown, view_data.limits, view_data.bend)
    plot.imshow(
        shown,
        cmap=colormaps[name].with_extremes(bad=ink.masked),
        vmin=0,
        vmax=1,
        aspect="auto",
        extent=(*view_data.x.limits, view_data.y.limits[1], view_data.y.limits[0]),
        interpolation="none",
    )
    if view_data.cursor is not None:
        row, column = view_data.cursor
        for colour, width in (("#ffffff", 3.0), ("#000000", 1.5)):
            plot.add_patch(_cell(row, column, colour, width))


def _cell(row: int, column: int, colour: str, width: float) -> Any:
    from matplotlib.patches import Rectangle

    corner = (column - 0.5, row - 0.5)
    return Rectangle(corner, 1, 1, fill=False, edgecolor=colour, linewidth=width, clip_on=False)


def draw_bar_below(bar: "Axes", view_data: ViewData, scheme: Scheme, ink: Ink) -> None:
    """Draw the colours from left to right, the ends named beside them, ticks below."""
    name, _ = PALETTES[view_data.scale][scheme]
    bar.imshow(np.linspace(0, 1, 256)[None, :], cmap=name, aspect="auto", extent=(0, 1, 0, 1))
    ticks = view_data.bar_ticks
    labels = [bar_label(view_data, tick) for tick in ticks]
    bar.set_xticks([along_bar(tick, view_data) for tick in ticks], labels)
    bar.set_yticks([])
    for place, side, end in zip((-0.02, 1.02), ("right", "left"), view_data.limits, strict=True):
        style: Any = {"color": ink.text, "fontsize": points(TICK), "va": "center", "ha": side}
        bar.text(place, 0.5, bar_label(view_data, end), transform=bar.transAxes, **style)


def draw_colour_bar(bar: "Axes", view_data: ViewData, scheme: Scheme, ink: Ink) -> None:
    """Draw the colours from low to high with the ticks of the data, or five."""
    name, _ = PALETTES[view_data.scale][scheme]
    shades = np.linspace(0, 1, 256)[:, None]
    bar.imshow(shades, cmap=name, aspect="auto", origin="lower", extent=(0, 1, 0, 1))
    low, high = view_data.limits
    inner = (
        np.array(view_data.bar_ticks) if view_data.bar_ticks else np.linspace(low, high, 5)[1:-1]
    )
    ticks = np.array([low, *inner, high])
    bar.set_xticks([])
    bar.yaxis.tick_right()
    bar.yaxis.set_label_position("right")
    at = colour_shares(ticks, view_data.limits, view_data.bend)
    bar.set_yticks(at, [bar_label(view_data, float(tick)) for tick in ticks])
    bar.set_ylabel(view_data.unit, color=ink.text, fontsize=points(LABEL))
