"""Where the panels of a picture stand; both renderers put them there. Sizes in px."""

from dataclasses import dataclass, replace
from typing import Literal

from posenc.column_kinds import columns_for
from posenc.figures.heatmap import BAR_TICKS, BELOW, size_for, whole_pixels, width_in
from posenc.figures.marks import above
from posenc.figures.scene import Box
from posenc.views import Axis, ViewData

NARROWEST_PANEL = 300  # narrower panels go below each other
NARROWEST_SMALL = 150  # of small multiples: more than three side by side
TALLEST = 300
TITLE_ABOVE = 24  # over a plot for its title
TICKS_BELOW = 26
NAME_BELOW = 22  # more for the name of the axis


@dataclass(frozen=True)
class Layout:
    """The plot of each panel in reading order, and what stands under it."""

    plots: tuple[Box, ...]
    named: tuple[bool, ...]  # whether the x axis of a panel is named
    bars: Literal["none", "own", "shared"]  # colour bars
    height: int  # of the picture, down to its keys

    @property
    def bottom(self) -> float:
        """Return the y of the lowest plot's lower edge."""
        return max(plot.bottom for plot in self.plots)

    @property
    def row(self) -> Box:
        """Return a box as wide as all plots together, where the lowest ends: for a shared bar."""
        left = min(plot.x for plot in self.plots)
        right = max(plot.x + plot.width for plot in self.plots)
        return Box(left, self.bottom, right - left, 0)


def lay_out(view_data: ViewData, width: int, top: int, sides: tuple[int, int]) -> Layout:
    """Return the places of panels below `top`, with room left and right of each plot."""
    panels, (left, right) = view_data.panels, sides
    beside = _beside(view_data, width)
    room = round(width / beside) - left - right
    tall = _height(view_data, room)
    bars, alike = _bars(panels), len({panel.x.label for panel in panels}) == 1
    over = TITLE_ABOVE + above(view_data)
    under = TICKS_BELOW + (0 if alike and bars != "own" else NAME_BELOW)
    bar = BELOW - TICKS_BELOW - NAME_BELOW
    bar += BAR_TICKS if any(panel.bar_ticks for panel in panels) else 0
    under += bar if bars == "own" else 0
    plots = tuple(
        _cells(
            panel,
            Box(
                left + (one % beside) * width / beside,
                top + over + (one // beside) * (over + tall + under),
                room,
                tall,
            ),
        )
        for one, panel in enumerate(panels)
    )
    last = max(plot.bottom for plot in plots) + under
    last += NAME_BELOW if alike and bars != "own" else 0
    last += bar if bars == "shared" else 0
    all_named = not alike or bars == "own"
    named = tuple(all_named or one + beside >= len(panels) for one in range(len(panels)))
    return Layout(plots, named, bars, round(last))


def panels_for(view_data: ViewData, width: int, sides: tuple[int, int]) -> ViewData:
    """Return the panels as they are drawn: columns that would be too narrow are grouped.

    Curves beside them go by the columns in their order, and lose zones that name others now.
    """
    room = width_in(round(width / _beside(view_data, width)) - sum(sides))
    panels = tuple(columns_for(panel, room) for panel in view_data.panels)
    if all(new is old for new, old in zip(panels, view_data.panels, strict=True)):
        return view_data
    kept = tuple(panel if panel.kinds else replace(panel, zones=()) for panel in panels)
    return replace(view_data, panels=kept)


def _beside(view_data: ViewData, width: int) -> int:
    """Return the number of panels side by side."""
    narrowest = NARROWEST_SMALL if view_data.panel_columns > 3 else NARROWEST_PANEL
    return max(1, min(view_data.panel_columns, width // narrowest, len(view_data.panels)))


def x_named(axis: Axis, *, named: bool) -> Axis:
    """Return the axis as it is, or without its name, which stands below the last row alone."""
    return axis if named else replace(axis, label="")


def series_of(view_data: ViewData) -> tuple[str, ...]:
    """Return the names of curves above all panels: those of the first panel that has some."""
    return next((panel.series for panel in view_data.panels if len(panel.series) > 1), ())


def _height(view_data: ViewData, room: int) -> int:
    """Return the height of the plots: heatmaps about square, curves wide."""
    if any(panel.kind == "heatmap" for panel in view_data.panels):
        return min(max(room, 90), TALLEST)
    return min(max(round(room * (0.2 if view_data.panel_columns == 1 else 0.6)), 110), TALLEST)


def _bars(panels: tuple[ViewData, ...]) -> Literal["none", "own", "shared"]:
    """Return "shared" if all heatmaps have the same colours for the same values."""
    maps = [panel for panel in panels if panel.kind == "heatmap"]
    if not maps:
        return "none"
    scales = {(one.scale, one.limits, one.bend, one.bar_ticks, one.unit) for one in maps}
    return "shared" if len(scales) == 1 and len(maps) > 1 else "own"


def _cells(panel: ViewData, box: Box) -> Box:
    """Return the box cut to whole pixels for the rows of a heatmap."""
    if panel.kind != "heatmap":
        return box
    if panel.square:
        return Box(box.x, box.y, *size_for(panel, int(min(box.width, box.height)), int(box.width)))
    height = whole_pixels(int(box.height), len(panel.values))
    return Box(box.x, box.y, width_in(box.width), height)
