"""How a known mistake went through a week: whom it concerned and who was over it, day by day."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from quizzes.classes.week.calendar import Week
from quizzes.classes.week.signs import Sign, Signs


@dataclass(frozen=True)
class DayCount:
    """How it stood at the end of a day, or now: students it concerned since Monday, and over it."""

    day: date
    concerned: int
    over: int


def count_by_day(
    signs: Signs, name: str, of_week: Sequence[Sign], week: Week, now: datetime
) -> list[DayCount]:
    """Return the counts of a mistake for the days of a week that have begun.

    `of_week`: its signs in that week. Who makes it once more is no longer over it, so that line can
    fall; the other cannot.
    """
    counts = []
    for day in (day for day in week.days if day <= now.astimezone(week.zone).date()):
        ends = week.end_of(day)
        newest: dict[int, datetime] = {}
        for sign in of_week:
            if sign.at < ends:
                newest[sign.learner] = max(sign.at, newest.get(sign.learner, sign.at))
        over = sum(signs.is_over(name, learner, at, ends) for learner, at in newest.items())
        counts.append(DayCount(day, len(newest), over))
    return counts
