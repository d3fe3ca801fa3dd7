"""Marks in words: the few letters of a cell, and why the mark is what it is."""

from datetime import datetime
from decimal import Decimal
from zoneinfo import ZoneInfo

from quizzes.classes.dates import in_words, length
from quizzes.classes.marks.cells import Cell, State, at_two_digits
from quizzes.classes.rules import Rule, WorkKind

NOUNS = {WorkKind.QUIZ: "attempt", WorkKind.EXERCISE: "submission", WorkKind.LESSON: "step"}


def short_mark(cell: Cell) -> str:
    """Return the text of a mark in a table: points, or a dash for none."""
    return "—" if cell.value is None else at_two_digits(cell.value)


def short_state(cell: Cell) -> str:
    """Return the few words under it, "" where the mark speaks for itself."""
    if cell.state == State.LATE:
        return f"late {length(cell.late)}"
    if cell.state == State.SUBMITTED or (cell.state == State.NOT_STARTED and not cell.is_due):
        return ""
    if cell.state == State.OPEN and cell.steps[1]:
        return f"{cell.steps[0]} of {cell.steps[1]} steps"
    return {State.OUR_FAILURE: "our failure", State.WAITING: "waiting"}.get(
        cell.state, cell.state.value
    )


def points_in_words(points: Decimal) -> str:
    """Return points without needless zeros: `7.5 points`, `1 point`."""
    number = at_two_digits(points).rstrip("0").rstrip(".")
    return f"{number} point{'' if number == '1' else 's'}"


def why(cell: Cell, rule: Rule, zone: ZoneInfo, now: datetime) -> list[str]:
    """Return sentences that say how a mark came about, the mark's own first."""
    if cell.is_frozen:
        return ["The mark was recorded when the account or the class membership was deleted."]
    if cell.state == State.OVERRIDDEN and cell.would_be is not None:
        own = cell.would_be
        without = points_in_words(own.value) if own.value is not None else own.state.value
        return [
            f"Set by hand: {cell.reason}",
            f"Without this override, the mark would be: {without}.",
            *(_of_state(own, rule, zone, now) if not own.steps[1] else ()),
        ]
    if rule.kind == WorkKind.LESSON and cell.steps[1] and cell.value is not None:
        return [_steps(cell, rule), *_ends(rule, zone, now, cell)]
    return [*_of_state(cell, rule, zone, now), *_ends(rule, zone, now, cell)]


def _steps(cell: Cell, rule: Rule) -> str:
    done, steps = cell.steps
    of = points_in_words(rule.points)
    return f"{done} of {steps} steps done in time; all the steps together are worth {of}."


SAID = {
    State.EXCUSED: "Excused: neither the mark nor the possible points count towards the total.",
    State.WAITING: (
        "A submission is waiting for grading. There is no mark until its result is known."
    ),
    State.OUR_FAILURE: (
        "A submission was not graded because something failed on our side. It costs nothing."
    ),
    State.OPEN: "An attempt is in progress.",
    State.MISSED: "Nothing was submitted.",
}
EARLIER = "Code submitted before it opened counts only if it solves the exercise."


def _of_state(cell: Cell, rule: Rule, zone: ZoneInfo, now: datetime) -> list[str]:
    if cell.state in SAID:
        return [SAID[cell.state]]
    if cell.state == State.NOT_OPEN:
        return [f"It opens {in_words(rule.opens_at, zone, now)}."]
    if cell.work is None or cell.value is None:
        if rule.kind == WorkKind.EXERCISE:
            return [f"Nothing that counts has been submitted yet. {EARLIER}"]
        return ["Nothing has been submitted yet."]
    return _of_work(cell, rule, zone, now, NOUNS[rule.kind])


def _of_work(cell: Cell, rule: Rule, zone: ZoneInfo, now: datetime, noun: str) -> list[str]:
    work = cell.work
    assert work is not None
    at = in_words(work.at, zone, now)
    if work.before:
        return [f"Solved before it opened: full marks, {points_in_words(rule.points)}."]
    which = "last" if rule.last_counts else "best"
    count = f"The {which} of {cell.handed_in} {noun}s" if cell.handed_in > 1 else f"The {noun}"
    if rule.kind == WorkKind.EXERCISE:
        share = (
            f"{work.earned:.0f} of {work.possible:.0f} cases passed"
            if rule.by_cases and work.possible != 1
            else "solved"
            if work.earned
            else "not solved"
        )
    elif work.possible:
        share = f"{at_two_digits(work.earned)} of {at_two_digits(work.possible)}"
    else:
        share = "every question was dropped, so it earns full marks"
    words = [
        f"{count}, submitted {at}: {share}. The assignment is worth {points_in_words(rule.points)}."
    ]
    if cell.late:
        days = f"{cell.late_days} late day{'' if cell.late_days == 1 else 's'}"
        lost = f" and lost {cell.lost_percent} % of what it earned ({days})"
        words.append(f"It was {length(cell.late)} late{lost if cell.lost_percent else ''}.")
    return words


def _ends(rule: Rule, zone: ZoneInfo, now: datetime, cell: Cell) -> list[str]:
    if cell.is_final or cell.state == State.EXCUSED:
        return []
    if rule.closes_at is not None and not rule.is_closed(now):
        closing = in_words(rule.closes_at, zone, now)
        return [f"The mark can change until the assignment closes {closing}."]
    return []
