"""The parts of every live picture: its size, its words, the SVG document around it."""

from dataclasses import dataclass

from posenc.errors import ParameterError
from posenc.figures.axes import DIGIT, TICK_SIZE, Box
from posenc.figures.palettes import INKS
from posenc.figures.svg import FONT, element
from posenc.positions import require_whole_number
from posenc.views import Axis, ViewData

NARROWEST, WIDEST = 160, 1600
TOP = 6  # px above the plot
RIGHT = 14  # px beside the plot, half a tick label


@dataclass(frozen=True)
class LivePicture:
    """A picture for a page: `svg` is complete; `png` is the plot alone, a pixel for a cell.

    `plot` is where the cells are, `rows` x `columns` of them, so that a page can move the outline
    itself; with panels, it is the first of `plots`. `note` is empty unless there were more cells
    than pixels: then it says that each pixel is the mean of neighbours. `drawn` is the data that a
    heatmap shows: columns that would be too narrow are in another order.
    """

    svg: str
    png: bytes | None
    width: int
    height: int
    plot: Box
    rows: int
    columns: int
    alt: str
    note: str
    plots: tuple[Box, ...] = ()
    drawn: ViewData | None = None


def document(parts: list[str], width: int, height: int, alt: str) -> str:
    """Return a whole SVG document, with its name for readers who do not see it."""
    return element(
        "svg",
        *parts,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {width} {height}",
        width=width,
        height=height,
        role="img",
        aria_label=alt,
        font_family=FONT,
        font_size=TICK_SIZE,
    )


def require_scheme_and_width(scheme: str, width_px: int) -> None:
    """Raise ParameterError for a colour scheme or a width that cannot be drawn."""
    if not isinstance(scheme, str) or scheme not in INKS:
        raise ParameterError("scheme", scheme, "must be one of light, dark")
    require_whole_number("width_px", width_px, low=NARROWEST, high=WIDEST)


def require_data(view_data: object) -> ViewData:
    """Return the ViewData unchanged. Raises ParameterError for anything else."""
    if not isinstance(view_data, ViewData):
        raise ParameterError("view_data", view_data, "must be the ViewData that a view computes")
    return view_data


def right_of_plot(axis: Axis) -> int:
    """Return the px beside the plot that half of the last tick label needs."""
    return max(RIGHT, 4 + round(len(axis.tick_labels[-1]) * DIGIT / 2))


def height_of_plot(room: float) -> int:
    """Return the height of a plot `room` px wide that leaves a phone's screen for the sliders."""
    return min(max(round(room * 0.52), 200), 420)
