"""What counts: the mark of one member for one assignment, from what was submitted and the rules.

Nothing here reads a database or a clock. `docs/teaching.md` has the same rules in words.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal
from enum import StrEnum

from quizzes.classes.rules import Rule

FIVE_DIGITS = Decimal("0.00001")
TWO_DIGITS = Decimal("0.01")
ONE_DIGIT = Decimal("0.1")
HUNDRED = Decimal(100)
ZERO = Decimal(0)


class Result(StrEnum):
    """How far a piece of work is with its grading."""

    GRADED = "graded"
    WAITING = "waiting"
    OUR_FAILURE = "our failure"


class State(StrEnum):
    """What a cell of the table of marks says; `FrozenMarks` store it."""

    NOT_OPEN = "not open yet"
    NOT_STARTED = "not started"
    OPEN = "open"
    SUBMITTED = "submitted"
    LATE = "late"
    MISSED = "nothing submitted"
    EXCUSED = "excused"
    OVERRIDDEN = "set by hand"
    WAITING = "waiting for grading"
    OUR_FAILURE = "not graded: our failure"


UNCOUNTED = frozenset({State.EXCUSED, State.WAITING, State.OUR_FAILURE})


@dataclass(frozen=True, slots=True)
class SubmittedWork:
    """An attempt or a submission that counts for an assignment.

    `earned` of `possible`; nothing possible, as where every question was dropped, is full marks.
    """

    key: int
    at: datetime
    earned: Decimal = ZERO
    possible: Decimal = ZERO
    result: Result = Result.GRADED
    before: bool = False  # solved before the assignment opened


@dataclass(frozen=True, slots=True)
class Cell:
    """One member's mark for one assignment. `value`: points at five digits, None for no mark."""

    state: State
    value: Decimal | None = None
    is_final: bool = False
    is_due: bool = False
    work: SubmittedWork | None = None  # what the mark was taken from
    handed_in: int = 0  # pieces of work that count
    late: timedelta = timedelta()  # after the due date, 0 for work in time
    late_days: int = 0
    lost_percent: int = 0
    steps: tuple[int, int] = (0, 0)  # of a lesson: done in time, of so many
    # Of a lesson: what is left to do, in order, as steps and questions; "" for reading the step.
    undone: tuple[tuple[str, str], ...] = ()
    is_frozen: bool = False
    would_be: "Cell | None" = None  # under an override: the mark without it
    reason: str = ""  # of an override

    @property
    def counts(self) -> bool:
        """Return whether the assignment belongs to the sum and to what was possible."""
        return self.state not in UNCOUNTED and (self.value is not None or self.is_due)


def points_of(rule: Rule, work: SubmittedWork) -> Decimal:
    """Return the points of a piece of work after what was lost by being late."""
    kept = Decimal(rule.kept_percent(work.at))
    if not work.possible:
        return (rule.points * kept / HUNDRED).quantize(FIVE_DIGITS, ROUND_HALF_UP)
    earned = rule.points * work.earned * kept / (work.possible * HUNDRED)
    return earned.quantize(FIVE_DIGITS, ROUND_HALF_UP)


def most_points_of(rule: Rule, work: SubmittedWork) -> Decimal:
    """Return the points that a piece of work may earn at most."""
    return points_of(rule, replace(work, earned=ZERO, possible=ZERO))


def mark(
    rule: Rule, work: Sequence[SubmittedWork], *, now: datetime, is_open: bool = False
) -> Cell:
    """Return the mark for a quiz or an exercise. `is_open`: an attempt is under way.

    `work` must hold only what counts for the assignment: see `counted_submissions`.
    """
    if rule.is_excused:
        return Cell(State.EXCUSED, is_final=True, handed_in=len(work))
    graded = [one for one in work if one.result == Result.GRADED]
    chosen = _chosen(rule, graded)
    value = points_of(rule, chosen) if chosen is not None else None
    for result, state in ((Result.WAITING, State.WAITING), (Result.OUR_FAILURE, State.OUR_FAILURE)):
        for one in work:
            if one.result == result and (value is None or most_points_of(rule, one) > value):
                # It might raise the mark, so there is none until its result is known.
                return Cell(state, work=one, handed_in=len(work), is_due=rule.is_due(now))
    if chosen is None or value is None:
        return _without_work(rule, now=now, is_open=is_open)
    late = rule.lateness(chosen.at)
    return Cell(
        State.LATE if late else State.SUBMITTED,
        value,
        is_final=not is_open and rule.loses_all(now),
        is_due=rule.is_due(now),
        work=chosen,
        handed_in=len(work),
        late=late,
        late_days=rule.late_days(chosen.at),
        lost_percent=100 - rule.kept_percent(chosen.at),
    )


def _chosen(rule: Rule, graded: Sequence[SubmittedWork]) -> SubmittedWork | None:
    if not graded:
        return None
    if rule.last_counts:
        # By its number: its time may be earlier, where a clock was put back between the two.
        return max(graded, key=lambda w: w.key)
    # Of equal ones the first: nobody is late by submitting again.
    return max(sorted(graded, key=lambda w: (w.at, w.key)), key=lambda w: points_of(rule, w))


def _without_work(rule: Rule, *, now: datetime, is_open: bool) -> Cell:
    due = rule.is_due(now)
    if is_open:
        return Cell(State.OPEN, is_due=due)
    if rule.loses_all(now):
        return Cell(State.MISSED, ZERO.quantize(FIVE_DIGITS), is_final=True, is_due=due)
    return Cell(State.NOT_OPEN if now < rule.opens_at else State.NOT_STARTED, is_due=due)


def lesson_mark(rule: Rule, done: Sequence[datetime | None], *, now: datetime) -> Cell:
    """Return the mark for a lesson: the share of its steps done in time. `done`: one for each step.

    A step that was done after the due date and its grace, or after the assignment closed, does not
    count.
    """
    if rule.is_excused:
        return Cell(State.EXCUSED, is_final=True)
    last = rule.in_time_until
    in_time = [at for at in done if at is not None and (last is None or at <= last)]
    if not in_time:
        return replace(_without_work(rule, now=now, is_open=False), steps=(0, len(done)))
    share = SubmittedWork(0, max(in_time), Decimal(len(in_time)), Decimal(len(done)))
    return Cell(
        State.SUBMITTED if len(in_time) == len(done) else State.OPEN,
        points_of(rule, share),
        is_final=rule.is_due(now) or len(in_time) == len(done),
        is_due=rule.is_due(now),
        work=share,
        steps=(len(in_time), len(done)),
    )


def overridden(cell: Cell, points: Decimal, reason: str) -> Cell:
    """Return a cell with points that were set by hand: after everything, also for excused work."""
    value = points.quantize(FIVE_DIGITS, ROUND_HALF_UP)
    return replace(
        cell, state=State.OVERRIDDEN, value=value, is_final=True, would_be=cell, reason=reason
    )


@dataclass(frozen=True, slots=True)
class SubmissionFacts:
    """A Submit as the table of submissions has it."""

    key: int
    at: datetime
    verdict: str  # "" while it waits
    passed: int | None = None
    total: int | None = None
    parsed: bool = True


def counted_submissions(rule: Rule, submits: Iterable[SubmissionFacts]) -> list[SubmittedWork]:
    """Return the Submits to an exercise that count for an assignment, oldest first.

    Those in its window, no more than it allows; and one before it that had solved the exercise
    already, which counts as submitted when it opens. Our failures use up no attempt, nor does
    code that Python could not read, which earns nothing.
    """
    counted: list[SubmittedWork] = []
    solved_before: SubmittedWork | None = None
    used = 0
    for one in sorted(submits, key=lambda each: (each.at, each.key)):
        if one.at < rule.opens_at:
            if solved_before is None and _is_solved(rule, one):
                whole = Decimal(1)
                solved_before = SubmittedWork(one.key, rule.opens_at, whole, whole, before=True)
            continue
        if rule.closes_at is not None and one.at > rule.closes_at:
            break
        if one.verdict != "not_graded" and (one.parsed or rule.counts_unparsed):
            used += 1
        elif rule.attempts is not None and used >= rule.attempts:
            continue
        if rule.attempts is not None and used > rule.attempts:
            break
        counted.append(_handed_in(rule, one))
    return [solved_before, *counted] if solved_before is not None else counted


def _is_solved(rule: Rule, facts: SubmissionFacts) -> bool:
    other = facts.verdict == "correct_other_convention" and rule.other_convention_counts
    return facts.verdict == "correct" or other


def _handed_in(rule: Rule, facts: SubmissionFacts) -> SubmittedWork:
    if facts.verdict == "":
        return SubmittedWork(facts.key, facts.at, result=Result.WAITING)
    if facts.verdict == "not_graded":
        return SubmittedWork(facts.key, facts.at, result=Result.OUR_FAILURE)
    if _is_solved(rule, facts):
        return SubmittedWork(facts.key, facts.at, Decimal(1), Decimal(1))
    if rule.by_cases and facts.verdict != "correct_other_convention" and facts.total:
        return SubmittedWork(facts.key, facts.at, Decimal(facts.passed or 0), Decimal(facts.total))
    return SubmittedWork(facts.key, facts.at, ZERO, Decimal(1))


@dataclass(frozen=True, slots=True)
class Total:
    """A member's sum over the assignments that are due or marked."""

    earned: Decimal
    possible: Decimal
    due: int  # assignments that are due or marked, and count
    so_far: bool  # something waits for its result
    is_final: bool  # nothing of what is due can change by itself

    @property
    def percent(self) -> Decimal | None:
        """Return the percent with one digit, half up; None where nothing was possible."""
        if not self.possible:
            return None
        return (HUNDRED * self.earned / self.possible).quantize(ONE_DIGIT, ROUND_HALF_UP)


def total(cells: Iterable[tuple[Decimal, Cell]]) -> Total:
    """Return the sum over cells, each with the points of its assignment."""
    earned, possible, due = ZERO, ZERO, 0
    so_far, is_final = False, True
    for points, cell in cells:
        so_far |= cell.state in {State.WAITING, State.OUR_FAILURE}
        if not cell.counts:
            continue
        due += 1
        possible += points
        earned += cell.value or ZERO
        is_final &= cell.is_final
    return Total(earned, possible, due, so_far, is_final and not so_far)


def at_two_digits(points: Decimal) -> str:
    """Return points as pages and exports show them: `7.50`."""
    return str(points.quantize(TWO_DIGITS, ROUND_HALF_UP))
