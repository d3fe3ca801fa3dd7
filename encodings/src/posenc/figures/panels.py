"""Live panels: several sets of curves with one legend, one below or beside the other."""

from dataclasses import replace

from posenc.figures.axes import LABEL_SIZE, Box, x_axis, y_axis
from posenc.figures.curves import curves_in, legend
from posenc.figures.describe import describe
from posenc.figures.palettes import INKS, Ink, Scheme
from posenc.figures.picture import TOP, LivePicture, document, left_of_plot, right_of_plot
from posenc.figures.svg import Attributes, text
from posenc.views import Axis, ViewData

NARROWEST_PANEL = 300  # px; narrower ones go below each other
TITLE_ABOVE = 24  # px over a plot for its title
TICKS_BELOW = 26  # px
NAME_BELOW = 22  # px more for the name of the axis, below the last row


def draw_panels(view_data: ViewData, scheme: Scheme, width_px: int) -> LivePicture:
    """Return the picture of panels of curves at the width it is shown at."""
    ink, panels = INKS[scheme], view_data.panels
    left = max(left_of_plot(panel.y) for panel in panels)
    right = max(right_of_plot(panel.x) for panel in panels)
    names, top = legend(panels[0].series, left, width_px - left - right, ink)
    plots, height = place(view_data, width_px, TOP + top, (left, right))
    parts = list(names)
    for panel, plot in zip(panels, plots, strict=True):
        named = plot.bottom == plots[-1].bottom
        parts += _panel(panel, x_named(panel.x, named=named), plot, width_px, ink)
    alt = describe(view_data)
    rows, columns = view_data.values.shape
    svg = document(parts, width_px, height, alt)
    return LivePicture(svg, None, width_px, height, plots[0], rows, columns, alt, "", plots)


def place(
    view_data: ViewData, width: int, top: int, sides: tuple[int, int]
) -> tuple[tuple[Box, ...], int]:
    """Return where the plots go, in reading order, and the height of the picture."""
    left, right = sides
    count = len(view_data.panels)
    beside = max(1, min(view_data.panel_columns, width // NARROWEST_PANEL, count))
    room = width / beside - left - right
    tall = min(max(round(room * (0.2 if view_data.panel_columns == 1 else 0.6)), 110), 300)
    step = TITLE_ABOVE + tall + TICKS_BELOW
    plots = tuple(
        Box(
            left + (one % beside) * width / beside,
            top + TITLE_ABOVE + (one // beside) * step,
            room,
            tall,
        )
        for one in range(count)
    )
    return plots, round(plots[-1].bottom + TICKS_BELOW + NAME_BELOW)


def x_named(axis: Axis, *, named: bool) -> Axis:
    """Return the axis as it is, or without its name, which stands below the last row alone."""
    return axis if named else replace(axis, label="")


def _panel(panel: ViewData, x: Axis, plot: Box, width: int, ink: Ink) -> list[str]:
    name: Attributes = {"font_size": LABEL_SIZE, "font_weight": "bold", "fill": ink.text}
    return [
        text(panel.title, plot.x, plot.y - 8, **name),
        *curves_in(plot, panel, ink),
        *x_axis(x, plot, width, ink),
        *y_axis(panel.y, plot, ink, downward=False),
    ]
