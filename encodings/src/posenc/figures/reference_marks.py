"""Numbered zones and lines along cells in a reference figure, where the live picture has them."""

from typing import TYPE_CHECKING, Any

from posenc.figures.axes import share
from posenc.figures.keys import number_places
from posenc.figures.marks import SHADE
from posenc.figures.palettes import Ink
from posenc.figures.reference_sheet import TICK, points
from posenc.views import ViewData

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw_zones(plot: "Axes", view_data: ViewData, ink: Ink, size: tuple[float, float]) -> None:
    """Draw lines between zones, their numbers above a plot of `size` px, shades behind curves."""
    from matplotlib import patheffects

    width, height = size
    zones, across = view_data.zones, plot.get_xaxis_transform()
    if view_data.kind == "curves":
        for zone in zones[1::2]:
            plot.axvspan(zone.low, zone.high, facecolor=ink.masked, alpha=SHADE, zorder=0, lw=0)
    for zone in zones[1:]:
        plot.plot(
            [zone.low, zone.low],
            [0, 1 + 15 / height],
            transform=across,
            color=ink.text,
            linewidth=1,
            linestyle=(0, (4, 3)),
            clip_on=False,
            path_effects=[patheffects.withStroke(linewidth=2.6, foreground=ink.paper, alpha=0.8)],
        )
    ends = [share(end, view_data.x) for zone in zones for end in (zone.low, zone.high)]
    for one, place in enumerate(number_places(zones, ends, width), start=1):
        style: Any = {"color": ink.text, "fontsize": points(TICK), "weight": "bold"}
        at = (place / width, 1 + 5 / height)
        plot.text(*at, str(one), transform=plot.transAxes, ha="center", **style)


def draw_edges(plot: "Axes", view_data: ViewData, ink: Ink) -> None:
    """Draw the lines along the borders of cells, light around dark."""
    for edge in view_data.edges:
        for colour, width in ((ink.paper, 3.0), (ink.text, 1.3)):
            plot.plot(*edge.corners.T, color=colour, linewidth=width, label=f"_{edge.label}")
