"""The line of time on which the assignments of a class stand: when each opens, is due and closes.

Places are in percent of the line, so that it fits every window; a page draws it without a script.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from math import ceil
from zoneinfo import ZoneInfo

from quizzes.classes.rules import NEVER, Rule

DAY = timedelta(days=1)
MOST_TICKS = 5
# One date of last year, or of the year 9999, would leave no room for those of the term.
REACH = timedelta(weeks=26)


@dataclass(frozen=True)
class Tick:
    """A Monday with its place."""

    day: date
    at: float


@dataclass(frozen=True)
class Span:
    """The dates of one assignment; dates beyond an end of the line stand there.

    `ends`: the end of the time in which work is not late. `due` is None where no due date is on the
    line. `closes` is the end of the line for work that never closes.
    """

    opens: float
    due: float | None
    ends: float
    closes: float


@dataclass(frozen=True)
class TimeLine:
    """The line: its Mondays, today, and the assignments in their order."""

    now: float
    ticks: Sequence[Tick]
    spans: Sequence[Span]


def time_line_of(rules: Sequence[Rule], now: datetime, zone: ZoneInfo) -> TimeLine:
    """Return the line from the first date to the last, with now and a day on either side.

    Dates more than half a year from now do not stretch it, unless the class has no others.
    """
    dates = [at for rule in rules for at in _dates_of(rule) if at < NEVER]
    near = [at for at in dates if abs(at - now) <= REACH] or dates
    begins, ends = min([now, *near]) - DAY, max([now, *near]) + DAY

    def place(at: datetime) -> float:
        share = (at - begins) / (ends - begins)
        return round(100 * min(1.0, max(0.0, share)), 1)

    def span(rule: Rule) -> Span:
        due, closes = rule.due_at, place(rule.closes_at) if rule.closes_at else 100.0
        return Span(
            opens=place(rule.opens_at),
            due=place(due) if due and begins < due < ends else None,
            ends=place(due) if due else closes,
            closes=closes,
        )

    mondays = [Tick(day, place(_midnight(day, zone))) for day in _mondays(begins, ends, zone)]
    return TimeLine(place(now), mondays, [span(rule) for rule in rules])


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
