"""The small curve of a known mistake: how many students it concerned by day, how many got past it.

It is drawn as it stands in the page, so that it needs no script and no request, in px that are not
scaled: its letters keep their size on a phone. Each line ends in a dot. There is no curve before
Wednesday: two days have no shape, and the numbers stand next to it in words.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from quizzes.classes.week.day_counts import DayCount

STEP, LEFT, TOP, BASE = 26, 8, 6, 54  # px from day to day, to Monday, to the largest, to none
WIDTH, HEIGHT = 2 * LEFT + 6 * STEP, 72
LETTERS = "MTWTFSS"
FEWEST_DAYS = 3


@dataclass(frozen=True)
class Line:
    """One line: its points, the area below it, and its end, in px."""

    points: str
    area: str
    end_x: str
    end_y: str


@dataclass(frozen=True)
class Curve:
    """The two lines, and the same in words."""

    concerned: Line
    past: Line
    words: str

    width: int = WIDTH
    height: int = HEIGHT
    base: int = BASE
    letters: str = LETTERS
    places: str = " ".join(str(LEFT + STEP * number) for number in range(7))


def curve_of(days: Sequence[DayCount]) -> Curve | None:
    """Return the curve of the days of a week that have begun, None for fewer than three."""
    if len(days) < FEWEST_DAYS:
        return None
    concerned, past = [day.concerned for day in days], [day.past for day in days]
    most = max(1, *concerned)
    return Curve(
        _line(concerned, most),
        _line(past, most),
        f"By day from Monday: {_in_words(concerned)} students so far;"
        f" {_in_words(past)} got past it",
    )


def _line(counts: Sequence[int], most: int) -> Line:
    heights = (BASE - (BASE - TOP) * count / most for count in counts)
    points = [f"{LEFT + STEP * number},{y:.3g}" for number, y in enumerate(heights)]
    end_x, end_y = points[-1].split(",")
    words = " ".join(points)
    return Line(words, f"{LEFT},{BASE} {words} {end_x},{BASE}", end_x, end_y)


def _in_words(counts: Sequence[int]) -> str:
    return ", ".join(str(number) for number in counts)
