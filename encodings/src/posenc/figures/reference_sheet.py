"""The sheet a reference figure is drawn on: a page in px from its upper left corner."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from posenc.figures.keys import LINE, SYMBOL, Key
from posenc.figures.palettes import INKS, Ink, Scheme
from posenc.figures.reference_files import DPI
from posenc.figures.scene import Box
from posenc.views import ViewData

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LABEL, TICK, TITLE = 12.5, 11.5, 17  # px
LEFT = 62  # px beside the plot
TITLE_LINE, HEAD_LINE = 22, 17  # px from one line to the next


def points(px: float) -> float:
    """Return a size in px as matplotlib's points."""
    return px * 72 / DPI


@dataclass(frozen=True, eq=False)
class Sheet:
    """A figure of `width` x `height` px, and the ink it is drawn with."""

    figure: "Figure"
    width: int
    height: int
    ink: Ink

    def axes(self, box: Box) -> "Axes":
        """Return axes at a place of the sheet."""
        corner = (box.x / self.width, 1 - box.bottom / self.height)
        shares = (*corner, box.width / self.width, box.height / self.height)
        ink, axes = self.ink, self.figure.add_axes(shares, facecolor=self.ink.paper)
        axes.tick_params(which="both", color=ink.soft, labelcolor=ink.text, labelsize=points(TICK))
        for spine in axes.spines.values():
            spine.set_color(ink.soft)
        return axes

    def words(self, text: str, x: float, y: float, size: float = TICK, weight: str = "") -> None:
        """Write a line, its foot at y."""
        style: Any = {"color": self.ink.text, "fontsize": points(size), "weight": weight or None}
        self.figure.text(x / self.width, 1 - y / self.height, text, **style)

    def head(self, title: list[str], lines: list[str]) -> None:
        """Write the title and the lines under it at the top."""
        down = 8.0
        for line in title:
            down += TITLE_LINE
            self.words(line, LEFT, down, TITLE, "bold")
        down += 3
        for line in lines:
            down += HEAD_LINE
            self.words(line, LEFT, down)

    def keys(self, keys: tuple[Key, ...], y: float) -> None:
        """Draw the key of the marks, the first line's upper end at y."""
        from matplotlib.patches import Rectangle

        for key in keys:
            if key.kind == "zone":
                self.words(key.number, LEFT + 3, y + 10.5, weight="bold")
            else:
                tall = 12 if key.kind == "masked" else 1.8
                colour = self.ink.masked if key.kind == "masked" else self.ink.text
                corner = (LEFT / self.width, 1 - (y + 6 + tall / 2) / self.height)
                size = (14 / self.width, tall / self.height)
                self.figure.add_artist(Rectangle(corner, *size, facecolor=colour, linewidth=0))
            for words in key.lines:
                self.words(words, LEFT + SYMBOL, y + 10.5)
                y += LINE


def new_sheet(width: int, height: int, scheme: Scheme) -> Sheet:
    """Return an empty sheet: a `Figure` of its own, never pyplot, whose state all threads share."""
    from matplotlib.figure import Figure

    ink = INKS[scheme]
    size = (width / DPI, height / DPI)
    return Sheet(Figure(figsize=size, dpi=DPI, facecolor=ink.paper), width, height, ink)


def dress(plot: "Axes", view_data: ViewData, ink: Ink) -> None:
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
