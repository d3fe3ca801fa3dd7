"""The rules of an assignment as they hold for one member: the class's, then the member's own."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from enum import StrEnum
from math import ceil
from typing import Any, Protocol
from zoneinfo import ZoneInfo

GRACE = timedelta(seconds=30)  # an answer on its way when the time ends is taken
DAY = timedelta(hours=24)
NEVER = datetime(9999, 1, 1, tzinfo=UTC)  # later than every date
UTC_ZONE = ZoneInfo("UTC")
DATES = ("opens_at", "due_at", "closes_at")
LIMITS = ("attempts", "minutes")


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
    grace_minutes: int
    late_percent_per_day: int
    attempts: int | None
    minutes: int | None
    counts: str
    exercise_counts: str
    other_convention_counts: bool
    old_rules_until: datetime | None
    elapsed_days_until: datetime | None

    @property
    def work_kind(self) -> WorkKind: ...

    @property
    def zone(self) -> ZoneInfo: ...


class ExceptionFields(Protocol):
    """The columns of a member's exception; what is null says nothing."""

    opens_at: datetime | None
    due_at: datetime | None
    closes_at: datetime | None
    attempts: int | None
    minutes: int | None
    earlier_on_purpose: bool
    is_excused: bool


@dataclass(frozen=True, slots=True)
class Rule:
    """An assignment as it holds for one member. `zone` is that of the class."""

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
    zone: ZoneInfo = UTC_ZONE
    grace: timedelta = timedelta()  # after the due date, and after each late day
    in_elapsed_days: bool = False  # a late day is 24 hours, whatever the clock of the class shows

    def is_open(self, now: datetime) -> bool:
        """Return whether work may be submitted now; both ends belong to the window."""
        return self.opens_at <= now and not self.is_closed(now)

    def is_closed(self, now: datetime) -> bool:
        return self.closes_at is not None and now > self.closes_at

    @property
    def in_time_until(self) -> datetime | None:
        """Return the last moment of work that loses nothing, None for no end."""
        if self.due_at is None:
            return self.closes_at
        end = after(self.due_at, self.grace)
        return end if self.closes_at is None else min(end, self.closes_at)

    def is_due(self, now: datetime) -> bool:
        """Return whether the time for work in time is over."""
        last = self.in_time_until
        return last is not None and now > last

    def loses_all(self, now: datetime) -> bool:
        """Return whether nothing that is submitted from now on can earn a point."""
        if self.closes_at is not None:
            return now > self.closes_at
        return self.late_percent >= 100 and self.is_due(now)

    def lateness(self, at: datetime) -> timedelta:
        """Return the elapsed time from the due date to work that is late, 0 for work in time."""
        if self.due_at is None or at <= after(self.due_at, self.grace):
            return timedelta()
        return at - self.due_at

    def late_days(self, at: datetime) -> int:
        """Return the days, each begun one counted, that work submitted then is late.

        A day ends at the due time on the class's clock: a night in which that clock changes makes
        one of 23 or 25 hours. The due second is in time, and so is what comes within the grace of a
        day's end.
        """
        if self.due_at is None or at - self.grace <= self.due_at:
            return 0
        at -= self.grace
        if self.in_elapsed_days:
            return ceil((at - self.due_at) / DAY)
        due = self.due_at.astimezone(self.zone)
        # The days of the calendar between both are at most two more: the clock may change.
        days = max(0, (at.astimezone(self.zone).date() - due.date()).days - 2)
        while _is_late_day_over(due, days, at):
            days += 1
        return days

    def kept_percent(self, at: datetime) -> int:
        """Return the share of earned points that work submitted then keeps."""
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


def after(at: datetime, span: timedelta) -> datetime:
    """Return the moment a span later; a date of the year 9999, the last one, stays."""
    return at if at >= NEVER else at + span


def _is_late_day_over(due: datetime, days: int, at: datetime) -> bool:
    """Return whether the clock of `due` was at its time so many days later, before `at`.

    What the clock shows twice on that date it shows for the last time. Where it skips the time, the
    day is over with the skip. So a later due time never ends a day earlier, nor does a later `at`.
    """
    if days == 0:
        return at > due
    wall = due + timedelta(days=days)
    end = max(wall.replace(fold=fold).astimezone(UTC) for fold in (0, 1))
    shown = wall.replace(tzinfo=None)
    if end.astimezone(due.tzinfo).replace(tzinfo=None) != shown:
        return at.astimezone(due.tzinfo).replace(tzinfo=None) > shown
    return at > end


def below_class(assignment: AssignmentFields, exception: ExceptionFields) -> list[str]:
    """Return the fields in which an exception gives less than the class has.

    That is an earlier date, or fewer attempts or minutes. No date is later than every date, and no
    limit is more than every number.
    """
    found = []
    for name in (*DATES, *LIMITS):
        own, common = getattr(exception, name), getattr(assignment, name)
        if own is not None and (common is None or own < common):
            found.append(name)
    return found


def effective(
    assignment: AssignmentFields, exception: ExceptionFields | None = None, extra_percent: int = 0
) -> Rule:
    """Return the rules of an assignment for a member with this exception and this extra time.

    Of two dates the later counts, and of two numbers the greater: so nobody loses by an exception
    when the class gets more time. One that is earlier on purpose counts as it is.
    Work that could earn nothing more by `old_rules_until`, or by `elapsed_days_until`, keeps the
    rules under which it was done. Extra time lengthens the minutes, rounded up, and never moves a
    date.
    """
    own = _own_values(assignment, exception)
    opens_at, due_at, closes_at = (own.get(name, getattr(assignment, name)) for name in DATES)
    kind = assignment.work_kind
    # Steps of a lesson count while they are in time: late is nothing.
    late_percent = 100 if kind == WorkKind.LESSON else assignment.late_percent_per_day
    grace = timedelta(minutes=assignment.grace_minutes)
    end = earning_end(due_at, closes_at, late_percent, grace)
    minutes = own.get("minutes", assignment.minutes)
    return Rule(
        kind=kind,
        points=assignment.points,
        opens_at=opens_at,
        due_at=due_at,
        closes_at=closes_at,
        late_percent=late_percent,
        attempts=own.get("attempts", assignment.attempts),
        minutes=None if minutes is None else lengthened(minutes, extra_percent),
        last_counts=assignment.counts == "last",
        by_cases=assignment.exercise_counts == "cases",
        other_convention_counts=assignment.other_convention_counts,
        is_excused=exception is not None and exception.is_excused,
        counts_unparsed=_was_over(end, assignment.old_rules_until),
        zone=assignment.zone,
        grace=grace,
        in_elapsed_days=_was_over(end, assignment.elapsed_days_until),
    )


def _own_values(assignment: AssignmentFields, exception: ExceptionFields | None) -> dict[str, Any]:
    """Return the fields of an exception that count for its member."""
    if exception is None:
        return {}
    lesser = () if exception.earlier_on_purpose else below_class(assignment, exception)
    return {
        name: own
        for name in (*DATES, *LIMITS)
        if (own := getattr(exception, name)) is not None and name not in lesser
    }


def _was_over(end: datetime, upgrade: datetime | None) -> bool:
    return upgrade is not None and end <= upgrade


def earning_end(
    due: datetime | None,
    closes: datetime | None,
    late_percent: int,
    grace: timedelta = timedelta(),
) -> datetime:
    """Return the last moment at which work can still earn a point; `NEVER` for no end.

    At its closing, or once the days that it is late have taken everything: with 50 % a day the
    second day begun takes the rest, so it is the end of the first. In elapsed days: before an
    upgrade to the newer rules there were no others.
    """
    late = NEVER
    if due is not None and late_percent > 0:
        late = after(due, grace + (ceil(100 / late_percent) - 1) * DAY)
    return min(closes or NEVER, late)


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
