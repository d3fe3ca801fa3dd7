"""The record of progress: the best state that each learner reached in each thing of a course.

Things are named as their course names them, so every function here takes the course, by its key.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from functools import cache
from typing import Any

from django.db import transaction
from django.db.models import DateTimeField, F, QuerySet, Value
from django.db.models.functions import Cast, Coalesce, Greatest, Least
from django.utils import timezone

from quizzes import statements
from quizzes.hooks import Hook
from quizzes.learners.hidden_answers import hidden_slugs
from quizzes.learners.models import Learner, Progress
from quizzes.page_reads import forget_read, is_reading, note_read, read_once
from quizzes.statements import Param, Reader, Statement

_STATES = Progress.State.values  # each may replace itself and those before it
_UP_TO = {state: _STATES[: number + 1] for number, state in enumerate(_STATES)}
BEST_STATE = _STATES[-1]
TIME = DateTimeField()


@transaction.atomic(savepoint=False)
def record_progress(
    course: int,
    *,
    learner: Learner,
    kind: str,
    slug: str,
    state: str,
    at: datetime | None = None,
    done_at: datetime | None = None,
) -> None:
    """Note that `learner` reached `state` in the thing (kind, slug); a better state is kept.

    `at` is when, now for None. Of a state reached again, or a better one, the later time stays, so
    a step that is touched again is the newest. When it was first done stays too: `done_at`, or
    `at`, counts where it is earlier. Raises ValueError for a kind or state that is none: SQLite
    would leave such a row out silently.
    """
    kind, state, at = Progress.Kind(kind), Progress.State(state), at or timezone.now()
    done_at = (done_at or at) if state == BEST_STATE else None
    said = {"learner_id": learner.pk, "course_id": course, "kind": kind, "slug": slug}
    said |= {"state": state, "updated_at": at, "done_at": done_at}
    forget_read(_key(course, learner))  # a page that ends an attempt whose time is over
    if not _insertion().change(**said):
        _improvement(state).change(**said)


@transaction.atomic(savepoint=False)
def record_states(course: int, *, learner: Learner, kind: str, states: Mapping[str, str]) -> None:
    """Note the states that `learner` reached by slug, as `record_progress` does for one thing.

    One query, and one more for each of the states. Raises ValueError as that does.
    """
    if len(states) == 1:  # as in a lesson: its SQL is written already
        ((slug, state),) = states.items()
        record_progress(course, learner=learner, kind=kind, slug=slug, state=state)
        return
    kind, now = Progress.Kind(kind), timezone.now()
    forget_read(_key(course, learner))
    slugs: dict[str, list[str]] = {}
    for slug, state in states.items():
        slugs.setdefault(Progress.State(state), []).append(slug)
    Progress.objects.bulk_create(
        (
            Progress(
                learner=learner,
                course_id=course,
                kind=kind,
                slug=slug,
                state=state,
                done_at=now if state == BEST_STATE else None,
            )
            for slug, state in states.items()
        ),
        ignore_conflicts=True,
    )
    rows, at = Progress.objects.filter(learner=learner, course=course, kind=kind), Value(now, TIME)
    for state, named in slugs.items():  # also of those inserted just now, which stay as they are
        better = {"state": state, "updated_at": _later(at)}
        if state == BEST_STATE:
            better["done_at"] = _earlier(at)
        rows.filter(slug__in=named, state__in=_UP_TO[state]).update(**better)


@cache
def _insertion() -> Statement:
    return statements.insert_missing(Progress, **_params(*_COLUMNS))


@cache
def _improvement(state: str) -> Statement:
    same = Progress.objects.filter(**_params("learner_id", "course_id", "kind", "slug"))
    better = _params("state", "updated_at")
    better["updated_at"] = _later(better["updated_at"])
    if state == BEST_STATE:
        better["done_at"] = _earlier(_params("done_at")["done_at"])
    else:
        same = same.filter(state__in=_UP_TO[state])
    return statements.update(same, **better)


_COLUMNS = ("learner_id", "course_id", "kind", "slug", "state", "updated_at", "done_at")


def _params(*columns: str) -> dict[str, Any]:
    numbers = {"learner_id", "course_id"}
    fields = {field.attname: field for field in Progress._meta.concrete_fields}
    return {name: Param(name, None if name in numbers else fields[name]) for name in columns}


def _later(at: Value) -> Greatest:
    """Return the later of a row's own `updated_at` and this time."""
    return Greatest(F("updated_at"), at)


def _earlier(at: Value) -> Least:
    """Return the earlier of a row's own `done_at` and this time."""
    return Least(Coalesce(F("done_at"), at), at)


# ---- how far a learner is

Row = tuple[str, str, str, int, int, int, datetime | None, datetime | None]
Rows = QuerySet[Any, Row]
COLUMNS = (
    "row_kind",
    "row_slug",
    "row_text",
    "row_key",
    "row_left",
    "row_sitting",
    "row_at",
    "row_until",
)
NO_NUMBERS = dict.fromkeys(("row_key", "row_left", "row_sitting"), Value(0))
NO_TIME = Cast(Value(None), TIME)
_CAN_BE_HIDDEN = {"question", "quiz", "exercise"}


@Hook
def rows_beside(course: Any) -> Sequence[Rows]:  # noqa: ARG001
    """Return what is read in one query with a learner's progress in a course: rows of its shape.

    The learner and the moment are the parameters `learner` and `now`.
    """
    return ()


@Hook
def frame_rows(*, in_class: bool) -> Mapping[str, Rows]:  # noqa: ARG001
    """Return what the frame of a page counts for a learner: rows of this shape, by kind.

    The account is the parameter `user`; `in_class` says whether it may be in a class.
    """
    return {}


def progress_rows(course: Any) -> QuerySet[Progress, Row]:
    """Return the progress of the parameter `learner` as kind, slug, state, zeros and its time."""
    rows = Progress.objects.filter(learner=Param("learner"), course=course)
    named = {"row_kind": F("kind"), "row_slug": F("slug"), "row_text": F("state"), **NO_NUMBERS}
    times = {"row_at": F("updated_at"), "row_until": NO_TIME}
    return rows.annotate(**named, **times).order_by().values_list(*COLUMNS)


class LearnerReader:
    """Reads a learner's progress in a course and what is read with it, in one query.

    On a page that only reads, what the frame counts is among it, and kept for the page's own frame.
    """

    def __init__(self, course: Any, *more: Rows) -> None:
        rows = [*rows_beside(course), *more]
        counts = [frame_rows(in_class=False), frame_rows(in_class=True)]
        self._kinds = [tuple(count) for count in counts]
        self._with_counts = [self._reader(course, *rows, *count.values()) for count in counts]
        self._without_counts = self._reader(course, *rows)

    @staticmethod
    def _reader(course: Any, *rows: Rows) -> Reader[Row]:
        progress = progress_rows(course)
        return Reader(progress.union(*rows, all=True) if rows else progress)

    def read(self, learner: Learner, **values: Any) -> list[Row]:
        """Return the rows of progress and those beside it."""
        values |= {"learner": learner.pk, "user": learner.user_id, "now": timezone.now()}
        if not is_reading():  # nobody would find the counts again
            return self._without_counts.read(**values)
        in_class = learner.may_be_in_class
        counts: dict[str, list[Row]] = {kind: [] for kind in self._kinds[in_class]}
        rows: list[Row] = []
        for row in self._with_counts[in_class].read(**values):
            counts.get(row[0], rows).append(row)
        for kind, counted in counts.items():
            note_read((kind, learner.pk), counted)
        return rows


@cache
def _course_rows() -> LearnerReader:
    return LearnerReader(Param("course"))


def course_rows(course: int, learner: Learner) -> list[Row]:
    """Return the progress of a learner in a course, and what is read with it. One query a page.

    Each page names the next thing to do, and most show how far the learner is.
    """
    return read_once(_key(course, learner), lambda: _course_rows().read(learner, course=course))


def _key(course: int, learner: Learner) -> tuple[str, int, int]:
    return ("course rows", course, learner.pk)


def progress_of(
    course: int, learner: Learner | None, kind: str, slugs: Iterable[str]
) -> dict[str, str]:
    """Return the state per slug, in one query; things not started are missing."""
    if learner is None:
        return {}
    kind = Progress.Kind(kind).value
    states = {slug: state for of, slug, state, *_ in course_rows(course, learner) if of == kind}
    reached = {slug: states[slug] for slug in slugs if slug in states}
    if not reached or kind not in _CAN_BE_HIDDEN:
        return reached
    hidden = hidden_slugs(learner, course, kind)
    return {slug: state for slug, state in reached.items() if slug not in hidden}


# ---- things that get another name


def rename_progress(course: int, *, kind: str, old: str, new: str) -> None:
    """Give the record of a thing its new name; of a learner with both names keep the better state.

    Call it inside a transaction.
    """
    rows = Progress.objects.filter(course=course, kind=kind)
    theirs = rows.filter(slug=old)
    for row in rows.filter(slug=new, learner__in=theirs.values("learner")):
        before = theirs.get(learner=row.learner_id)
        if row.state in _UP_TO[before.state]:
            newest = _later(Value(before.updated_at, TIME))
            rows.filter(pk=row.pk).update(state=before.state, updated_at=newest)
        if before.done_at is not None:
            rows.filter(pk=row.pk).update(done_at=_earlier(Value(before.done_at, TIME)))
        before.delete()
    theirs.update(slug=new)


def rename_progress_below(course: int, *, kind: str, old: str, new: str) -> None:
    """Do the same for everything whose name begins with `old/`."""
    rows = Progress.objects.filter(course=course, kind=kind, slug__startswith=f"{old}/")
    for slug in set(rows.values_list("slug", flat=True)):
        renamed = f"{new}{slug.removeprefix(old)}"
        rename_progress(course, kind=kind, old=slug, new=renamed)
