"""The small curve of a known mistake: how many it concerned by day, and how many are over it.

It is drawn as it stands in the page, so that it needs no script and no request, in px that are not
scaled: its letters keep their size on a phone.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from quizzes.classes.week.day_counts import DayCount

STEP, LEFT, TOP, BASE = 26, 8, 6, 54  # px from day to day, to Monday, to the largest, to none
WIDTH, HEIGHT = 2 * LEFT + 6 * STEP, 72
LETTERS = "MTWTFSS"


@dataclass(frozen=True)
class Curve:
    """The points of the two lines and of the areas below them, and the same in words."""

    concerned: str
    over: str
    area: str
    area_over: str
    end: int  # px from the left, of the last day
    words: str

    width: int = WIDTH
    height: int = HEIGHT
    base: int = BASE
    letters: str = LETTERS
    places: str = " ".join(str(LEFT + STEP * number) for number in range(7))


def curve_of(days: Sequence[DayCount]) -> Curve | None:
    """Return the curve of the days of a week that have begun, None where none has."""
    if not days:
        return None
    most = max(1, *(day.concerned for day in days))
    concerned = _points([day.concerned for day in days], most)
    over = _points([day.over for day in days], most)
    end = LEFT + STEP * (len(days) - 1)
    students, past = (
        ", ".join(str(number) for number in counts)
        for counts in ([day.concerned for day in days], [day.over for day in days])
    )
    return Curve(
        concerned,
        over,
        f"{LEFT},{BASE} {concerned} {end},{BASE}",
        f"{LEFT},{BASE} {over} {end},{BASE}",
        end,
        f"By day from Monday: {students} students so far; {past} got past it",
    )


def _points(counts: Sequence[int], most: int) -> str:
    heights = (BASE - (BASE - TOP) * count / most for count in counts)
    return " ".join(f"{LEFT + STEP * number},{y:.3g}" for number, y in enumerate(heights))
