"""A known mistake day by day through a week: whom it concerned, and who had got past it."""

from dataclasses import dataclass
from datetime import datetime

from quizzes.classes.week.calendar import Week
from quizzes.classes.week.signs import Signs


@dataclass(frozen=True)
class DayCount:
    """The counts at the end of a day, or now: students concerned since Monday, and past it."""

    concerned: int
    past: int


def count_by_day(signs: Signs, name: str, week: Week, now: datetime) -> list[DayCount]:
    """Return the counts of a mistake for the days of a week that have begun.

    A student who makes it again is no longer past it, so that line can fall; the other cannot.
    """
    made = [sign for sign in signs.made[name] if sign.at >= week.begins_at]
    counts = []
    for day in (day for day in week.days if day <= now.astimezone(week.zone).date()):
        ends = week.end_of(day)
        newest: dict[int, datetime] = {}
        for sign in made:
            if sign.at < ends:
                newest[sign.learner] = max(sign.at, newest.get(sign.learner, sign.at))
        past = sum(signs.is_over(name, learner, at, ends) for learner, at in newest.items())
        counts.append(DayCount(len(newest), past))
    return counts
