"""The line of time on which the assignments of a class stand: when each opens, is due and closes.

Places are in percent of the line, so that it fits every window; a page draws it without a script.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from math import ceil
from zoneinfo import ZoneInfo

from quizzes.classes.rules import Rule

DAY = timedelta(days=1)
MOST_TICKS = 5


@dataclass(frozen=True)
class Tick:
    """A Monday with its place."""

    day: date
    at: float


@dataclass(frozen=True)
class Span:
    """The dates of one assignment; `closes` is the end of the line for one that never closes."""

    opens: float
    due: float | None
    closes: float

    @property
    def ends(self) -> float:
        """Return the end of the time in which work is not late."""
        return self.closes if self.due is None else self.due


@dataclass(frozen=True)
class TimeLine:
    """The line: its Mondays, today, and the assignments in their order."""

    now: float
    ticks: Sequence[Tick]
    spans: Sequence[Span]


def time_line_of(rules: Sequence[Rule], now: datetime, zone: ZoneInfo) -> TimeLine:
    """Return the line from the first date of all to the last, with now and a day on either side."""
    dates = [now, *(at for rule in rules for at in _dates_of(rule))]
    begins, ends = min(dates) - DAY, max(dates) + DAY

    def place(at: datetime) -> float:
        return round(100 * ((at - begins) / (ends - begins)), 1)

    return TimeLine(
        place(now),
        [Tick(monday, place(_midnight(monday, zone))) for monday in _mondays(begins, ends, zone)],
        [
            Span(
                place(rule.opens_at),
                place(rule.due_at) if rule.due_at else None,
                place(rule.closes_at) if rule.closes_at else 100.0,
            )
            for rule in rules
        ],
    )


def _dates_of(rule: Rule) -> Iterable[datetime]:
    return (at for at in (rule.opens_at, rule.due_at, rule.closes_at) if at is not None)


def _mondays(begins: datetime, ends: datetime, zone: ZoneInfo) -> list[date]:
    """Return the Mondays between, on the clock of the class: all, or every second, third ..."""
    first, last = begins.astimezone(zone).date(), ends.astimezone(zone).date()
    first += timedelta(days=7 - first.weekday())
    weeks = range((last - first).days // 7 + 1) if first <= last else range(0)
    step = max(1, ceil(len(weeks) / MOST_TICKS))
    return [first + timedelta(weeks=week) for week in weeks[::step]]


def _midnight(day: date, zone: ZoneInfo) -> datetime:
    return datetime.combine(day, time(), zone)
