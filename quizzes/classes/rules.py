"""The rules of an assignment as they hold for one member: the class's, then the member's own."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from enum import StrEnum
from math import ceil
from typing import Protocol

GRACE = timedelta(seconds=30)  # an answer on its way when the time ends is taken
DAY = timedelta(hours=24)
HOUR = timedelta(hours=1)
NEVER = datetime(9999, 1, 1, tzinfo=UTC)  # later than every date


class WorkKind(StrEnum):
    """What an assignment assigns."""

    QUIZ = "quiz"
    EXERCISE = "exercise"
    LESSON = "lesson"


class Shows(StrEnum):
    """When a learner sees the marks, or the answers, of an assignment."""

    AT_ONCE = "at_once"
    AFTER_DUE = "after_due"
    AFTER_CLOSE = "after_close"
    NEVER = "never"


class AssignmentFields(Protocol):
    """The columns of an assignment that rules are made of."""

    points: Decimal
    opens_at: datetime
    due_at: datetime | None
    closes_at: datetime | None
    late_percent_per_day: int
    attempts: int | None
    minutes: int | None
    counts: str
    exercise_counts: str
    other_convention_counts: bool
    old_rules_until: datetime | None

    @property
    def work_kind(self) -> WorkKind: ...


class ExceptionFields(Protocol):
    """The columns of a member's exception; what is null says nothing."""

    opens_at: datetime | None
    due_at: datetime | None
    closes_at: datetime | None
    attempts: int | None
    minutes: int | None
    is_excused: bool


@dataclass(frozen=True, slots=True)
class Rule:
    """An assignment as it holds for one member."""

    kind: WorkKind
    points: Decimal
    opens_at: datetime
    due_at: datetime | None
    closes_at: datetime | None
    late_percent: int = 0
    attempts: int | None = None
    minutes: int | None = None
    last_counts: bool = False  # of a quiz: the newest attempt, not the best
    by_cases: bool = False  # of an exercise: the share of passed cases, not solved or not
    other_convention_counts: bool = True
    is_excused: bool = False
    counts_unparsed: bool = False  # code that Python could not read uses up an attempt

    def is_open(self, now: datetime) -> bool:
        """Return whether work may be handed in now; both ends belong to the window."""
        return self.opens_at <= now and not self.is_closed(now)

    def is_closed(self, now: datetime) -> bool:
        return self.closes_at is not None and now > self.closes_at

    def is_due(self, now: datetime) -> bool:
        """Return whether the time for work in time is over."""
        last = self.due_at or self.closes_at
        return last is not None and now > last

    def loses_all(self, now: datetime) -> bool:
        """Return whether nothing that is handed in from now on can earn a point."""
        if self.closes_at is not None:
            return now > self.closes_at
        return self.due_at is not None and self.late_percent >= 100 and now > self.due_at

    def late_days(self, at: datetime) -> int:
        """Return the days, each begun one counted, that work handed in then is late.

        In elapsed time, so that a night with a clock change has no say. The due second is in time.
        """
        if self.due_at is None or at <= self.due_at:
            return 0
        return ceil((at - self.due_at) / DAY)

    def late_hours(self, at: datetime) -> int:
        if self.due_at is None or at <= self.due_at:
            return 0
        return ceil((at - self.due_at) / HOUR)

    def kept_percent(self, at: datetime) -> int:
        """Return the share of earned points that work handed in then keeps."""
        return max(0, 100 - self.late_percent * self.late_days(at))

    def deadline(self, start: datetime) -> datetime | None:
        """Return when an attempt that is begun at `start` ends; None for never."""
        if self.minutes is None:
            return self.closes_at
        end = start + timedelta(minutes=self.minutes)
        return end if self.closes_at is None else min(end, self.closes_at)

    def shows(self, when: str, now: datetime) -> bool:
        """Return whether what is shown at `when`, a value of `Shows`, is shown by now."""
        if when == Shows.AT_ONCE:
            return True
        if when == Shows.AFTER_DUE:
            return self.is_due(now)
        return when == Shows.AFTER_CLOSE and self.is_closed(now)


def effective(
    assignment: AssignmentFields, exception: ExceptionFields | None = None, extra_percent: int = 0
) -> Rule:
    """Return the rules of an assignment for a member with this exception and this extra time.

    Work that could earn nothing more by `old_rules_until` keeps the rules under which it was done.
    Extra time lengthens the minutes, rounded up, and never moves a date.
    """
    dates: dict[str, datetime | None] = {}
    for name in ("opens_at", "due_at", "closes_at"):
        own = getattr(exception, name) if exception is not None else None
        dates[name] = getattr(assignment, name) if own is None else own
    opens_at = dates["opens_at"]
    assert opens_at is not None
    kind = assignment.work_kind
    # Steps of a lesson count while they are in time: late is nothing.
    late_percent = 100 if kind == WorkKind.LESSON else assignment.late_percent_per_day
    before = assignment.old_rules_until
    end = earning_end(dates["due_at"], dates["closes_at"], late_percent)
    minutes = _own_or(exception, "minutes", assignment.minutes)
    return Rule(
        kind=kind,
        points=assignment.points,
        opens_at=opens_at,
        due_at=dates["due_at"],
        closes_at=dates["closes_at"],
        late_percent=late_percent,
        attempts=_own_or(exception, "attempts", assignment.attempts),
        minutes=None if minutes is None else lengthened(minutes, extra_percent),
        last_counts=assignment.counts == "last",
        by_cases=assignment.exercise_counts == "cases",
        other_convention_counts=assignment.other_convention_counts,
        is_excused=exception is not None and exception.is_excused,
        counts_unparsed=before is not None and end <= before,
    )


def earning_end(due: datetime | None, closes: datetime | None, late_percent: int) -> datetime:
    """Return the last moment at which work can still earn a point; `NEVER` for no end.

    At its closing, or once the days that it is late have taken everything: with 50 % a day the
    second day begun takes the rest, so it is the end of the first.
    """
    late = NEVER
    if due is not None and late_percent > 0:
        late = due + (ceil(100 / late_percent) - 1) * DAY
    return min(closes or NEVER, late)


def _own_or(exception: ExceptionFields | None, name: str, value: int | None) -> int | None:
    own: int | None = getattr(exception, name) if exception is not None else None
    return value if own is None else own


def lengthened(minutes: int, extra_percent: int) -> int:
    """Return minutes with extra time: `ceil(minutes * (1 + extra / 100))`, in whole numbers."""
    return -(-minutes * (100 + extra_percent) // 100)


def date_fault(
    opens_at: datetime | None, due_at: datetime | None, closes_at: datetime | None
) -> tuple[str, str] | None:
    """Return the field and the fault of dates in the wrong order, None where they are in order."""
    if due_at is not None and opens_at is not None and due_at < opens_at:
        return "due_at", "is due before it opens"
    if closes_at is not None and due_at is not None and closes_at < due_at:
        return "closes_at", "closes before it is due"
    if closes_at is not None and opens_at is not None and closes_at < opens_at:
        return "closes_at", "closes before it opens"
    return None
