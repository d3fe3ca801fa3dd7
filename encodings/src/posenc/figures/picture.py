"""The parts of every live picture: its size, its words, the room around its plot."""

from dataclasses import dataclass

from posenc.errors import ParameterError
from posenc.figures.axes import DIGIT
from posenc.figures.palettes import INKS
from posenc.figures.scene import Box, Scene
from posenc.positions import require_whole_number
from posenc.views import Axis, ViewData

NARROWEST, WIDEST = 160, 1600
TOP = 6  # px above the plot
RIGHT = 14  # px beside the plot, half a tick label
LOWEST_PLOT, TALLEST_PLOT = 200, 420  # px
FLATNESS = 0.52  # height of a plot for its width


@dataclass(frozen=True, eq=False)
class LivePicture:
    """A picture for a page: `svg` is complete, `scene` is what it shows and where."""

    svg: str
    scene: Scene
    alt: str

    @property
    def width(self) -> int:
        """Return its width in px."""
        return self.scene.width

    @property
    def height(self) -> int:
        """Return its height in px."""
        return self.scene.height

    @property
    def plot(self) -> Box:
        """Return the box of the cells; with panels, that of the first."""
        return self.scene.plots[0]

    @property
    def plots(self) -> tuple[Box, ...]:
        """Return the box of the cells of each panel."""
        return self.scene.plots

    @property
    def rows(self) -> int:
        """Return the number of rows of cells."""
        return self.scene.rows

    @property
    def columns(self) -> int:
        """Return the number of columns of cells."""
        return self.scene.columns

    @property
    def note(self) -> str:
        """Return the meaning of a pixel, "" where it is one cell."""
        return self.scene.note

    @property
    def drawn(self) -> ViewData:
        """Return the data in the order it is drawn."""
        return self.scene.drawn


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
    return min(max(round(room * FLATNESS), LOWEST_PLOT), TALLEST_PLOT)
