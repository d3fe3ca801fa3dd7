"""A learner's tries at one exercise: the list with what changed from each to the next."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from difflib import SequenceMatcher
from functools import cache
from typing import Any, NamedTuple

from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Window
from django.db.models.functions import RowNumber
from django.http import Http404

from quizzes import statements
from quizzes.courses.addresses import submission_address
from quizzes.exercises.models import Exercise, PreviousVerdict, Submission
from quizzes.exercises.models.submission import SOLVING, USES_ATTEMPT, label_of
from quizzes.exercises.services import history
from quizzes.learners.models import Learner
from quizzes.statements import Param, Reader, Statement

CONTEXT_LINES = 3
MOST_LINES = 600  # of either text: beyond, comparing may take seconds
SHOWN = 20
OFFERED = 50  # tries to compare with


@dataclass(frozen=True)
class Line:
    """`sign`: "+" new, "-" gone, "" the same, "…" lines left out. Numbers count from 1."""

    sign: str
    text: str
    old_number: int | None = None
    new_number: int | None = None

    @property
    def kind(self) -> str:
        """What style and screen readers call the line."""
        return {"+": "added", "-": "removed", "…": "skipped"}.get(self.sign, "same")


@dataclass(frozen=True)
class CodeDiff:
    """The changed lines with a few around them; empty for equal texts."""

    lines: tuple[Line, ...]

    @property
    def added(self) -> int:
        return sum(line.sign == "+" for line in self.lines)

    @property
    def removed(self) -> int:
        return sum(line.sign == "-" for line in self.lines)


def compare(old: str, new: str) -> CodeDiff | None:
    """Return the changes from `old` to `new`; None when they are too long to compare at once."""
    before, after = old.splitlines(), new.splitlines()
    if max(len(before), len(after)) > MOST_LINES:
        return None
    matcher = SequenceMatcher(None, before, after)
    lines: list[Line] = []
    end = 0
    for group in matcher.get_grouped_opcodes(CONTEXT_LINES):
        if group[0][1] > end:
            lines.append(Line("…", ""))
        for tag, i1, i2, j1, j2 in group:
            lines.extend(_lines(tag, before, after, (i1, i2, j1, j2)))
        end = group[-1][2]
    if lines and end < len(before):
        lines.append(Line("…", ""))
    return CodeDiff(tuple(lines))


def _lines(
    tag: str, before: list[str], after: list[str], span: tuple[int, int, int, int]
) -> Iterator[Line]:
    i1, i2, j1, j2 = span
    if tag == "equal":
        for i, j in zip(range(i1, i2), range(j1, j2), strict=True):
            yield Line("", after[j], i + 1, j + 1)
        return
    for i in range(i1, i2):
        yield Line("-", before[i], old_number=i + 1)
    for j in range(j1, j2):
        yield Line("+", after[j], new_number=j + 1)


@dataclass(frozen=True)
class Pair:
    """One row of two texts side by side; a side is None where it has no line here."""

    left: tuple[int, str] | None
    right: tuple[int, str] | None
    same: bool


def side_by_side(left: str, right: str) -> list[Pair] | None:
    """Return both texts line by line; None when they are too long to compare at once."""
    ours, theirs = left.splitlines(), right.splitlines()
    if max(len(ours), len(theirs)) > MOST_LINES:
        return None
    rows: list[Pair] = []
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, ours, theirs, autojunk=False).get_opcodes():
        for step in range(max(i2 - i1, j2 - j1)):
            mine = (i1 + step + 1, ours[i1 + step]) if i1 + step < i2 else None
            other = (j1 + step + 1, theirs[j1 + step]) if j1 + step < j2 else None
            rows.append(Pair(mine, other, tag == "equal"))
    return rows


_NUMBER = Window(RowNumber(), order_by="pk")  # before a slice is taken


@dataclass(frozen=True)
class Tries:
    """A learner's Submits to an exercise, counted.

    `number` of them up to one, of which Python could read `readable`; `graded` of all used up an
    attempt, and one of those that are `solved` did so with a right program.
    """

    number: int
    readable: int
    graded: int
    solved: bool


def tries_of(*, exercise: int, learner: int | None, until: int = 0) -> Tries:
    """Count the Submits of a learner to an exercise, both by their keys. One query.

    `until`: the submission whose number is wanted, by its key.
    """
    rows = _tries().rows(exercise=exercise, learner=learner, until=until) if learner else []
    for number, readable, graded, solved in rows:
        return Tries(number, readable, graded, solved > 0)
    return NO_TRIES


NO_TRIES = Tries(0, 0, 0, solved=False)
_GRADED = USES_ATTEMPT & Q(graded_at__isnull=False)
_COUNTS = {"graded": _GRADED, "solved": _GRADED & Q(verdict__in=SOLVING)}


@cache
def _tries() -> Statement:
    mine = Submission.objects.filter(
        learner=Param("learner"),
        exercise_version__exercise=Param("exercise"),
        kind=Submission.Kind.SUBMIT,
    )
    earlier = Q(pk__lte=Param("until"))
    filters = {"number": earlier, "readable": earlier & Q(parsed=True), **_COUNTS}
    counts = {name: Count("pk", filter=which) for name, which in filters.items()}
    counted = mine.order_by().values("learner").annotate(**counts)
    return statements.select(counted.values_list(*counts))


def number_of(submission: Submission) -> int | None:
    """Return which of its learner's submissions to the exercise it is, from 1; None of a Check."""
    tries = tries_until(submission)
    return tries.number if tries else None


def tries_until(submission: Submission) -> Tries | None:
    """Count the Submits of its learner to the exercise, until this one; None of a Check."""
    if submission.kind != Submission.Kind.SUBMIT:
        return None
    exercise = submission.exercise_version.exercise_id
    return tries_of(exercise=exercise, learner=submission.learner_id, until=submission.pk)


@dataclass(frozen=True)
class HistoryEntry:
    """One submission of the list; `change` is None for the first and where the code is too long.

    `number`: which of the learner's submissions to this exercise it is, from 1; `start`: where its
    learner goes on with its code.
    """

    number: int
    address: str
    start: str
    submitted_at: datetime
    verdict_label: str
    change: CodeDiff | None
    is_first: bool
    graded_again: bool


def recent_history(*, exercise: Exercise, learner: Learner | None) -> list[HistoryEntry]:
    """Return the learner's last submissions, newest first, each with what changed. One query."""
    return recent_tries(exercise=exercise, learner=learner)[0]


def recent_tries(
    *, exercise: Exercise, learner: Learner | None
) -> tuple[list[HistoryEntry], Tries]:
    """Return the same, and the counts of all Submits as `tries_of` does. One query."""
    if learner is None:
        return [], NO_TRIES
    rows = [_Row(*row) for row in _recent().read(exercise=exercise.pk, learner=learner.pk)]
    before = [*rows[1:], None][: len(rows)]
    course, start = exercise.course.slug, exercise.get_absolute_url()
    entries = [
        HistoryEntry(
            number=row.place,
            address=submission_address(course, exercise.slug, row.pk),
            start=f"{start}?from={row.pk}#id_code",
            submitted_at=row.submitted_at,
            verdict_label=label_of(row.verdict),
            change=compare(old.code, row.code) if old else None,
            is_first=old is None,
            graded_again=row.graded_again,
        )
        for row, old in zip(rows, before, strict=True)
    ]
    counts = Tries(0, 0, rows[0].graded, rows[0].solved > 0) if rows else NO_TRIES
    return entries[:SHOWN], counts


class _Row(NamedTuple):
    pk: int
    place: int
    code: str
    submitted_at: datetime
    verdict: str
    graded_again: bool
    graded: int  # these two of all Submits
    solved: int


@cache
def _recent() -> Reader[tuple[Any, ...]]:
    again = PreviousVerdict.objects.filter(submission=OuterRef("pk")).order_by()
    mine = history(exercise=Param("exercise"), learner=Param("learner"))
    all_of_them = {name: Window(Count("pk", filter=which)) for name, which in _COUNTS.items()}
    counted = mine.annotate(graded_again=Exists(again), place=_NUMBER, **all_of_them)
    return Reader(counted.values_list(*_Row._fields)[: SHOWN + 1])


# Of a version: tens of kilobytes, which a list of submissions would bring with each row.
LARGE = tuple(f"exercise_version__{name}" for name in ("files", "proof", "outline"))


def _with_address(rows: QuerySet[Submission]) -> QuerySet[Submission]:
    """Fetch with the rows what their addresses name, without what is large."""
    return rows.select_related("exercise_version__exercise__course").defer(*LARGE)


def comparison(submission: Submission, requested: str) -> dict[str, Any]:
    """Return the context of the section "What changed"; empty for a Check and for the first try.

    `requested`: the number of the try to compare with, "" for the one before. Http404 for others.
    """
    if submission.kind != Submission.Kind.SUBMIT:
        return {}
    exercise = submission.exercise_version.exercise_id
    which = {"learner": submission.learner_id, "exercise": exercise, "number": submission.pk}
    tries: list[Any] = _tries_before().read(**which)
    if not tries:
        return {}
    against = next(
        (row for row in tries if str(row.pk) == requested), None if requested else tries[0]
    )
    if against is None:
        raise Http404(f"submission {requested} cannot be compared with {submission.pk}")
    return {
        "tries": tries,
        "against": against,
        "difference": compare(against.code, submission.code),
    }


@cache
def _tries_before() -> Reader[Submission]:
    mine = history(exercise=Param("exercise"), learner=Param("learner"))
    earlier = mine.filter(pk__lt=Param("number"))
    counted = _with_address(earlier).defer("report", "code").annotate(number=_NUMBER)
    return Reader(counted[:OFFERED])
