"""What a learner has done and begun in a course, in one query: what names the next thing to do.

Progress and open attempts are of two tables and far apart in code, but every page names the next
thing, and on PostgreSQL each query takes as long as drawing a part of the page. So they are read as
rows of one shape. Of a page without a course, the home course is one more row of them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from typing import NamedTuple
from uuid import UUID

from django.db.models import CharField, Count, F, Q, QuerySet, Subquery, TextField, Value
from django.db.models.functions import Cast

from quizzes.assessment.models import Attempt, Quiz
from quizzes.courses.content import note_token
from quizzes.courses.models import Course
from quizzes.learners.models import Learner, Progress
from quizzes.statements import Param, Reader, TimeParam

KINDS = [Progress.Kind.STEP.value, Progress.Kind.QUIZ.value, Progress.Kind.EXERCISE.value]
ATTEMPT, COURSE = "attempt", "course"  # kinds of rows, beside those of progress


class OpenAttempt(NamedTuple):
    """An attempt that takes answers: its place among quizzes, key and quiz, and what is left."""

    place: tuple[int, int]
    key: int
    quiz: str
    title: str
    unanswered: int


@dataclass
class LearnerRows:
    """The states of steps, quizzes and exercises by kind and slug, and the open attempts.

    What is hidden from the learner is among them. `course` is None on a site without courses.
    """

    course: Course | None
    states: Mapping[tuple[str, str], str] = field(default_factory=dict)
    attempts: Sequence[OpenAttempt] = ()


def learner_rows(learner: Learner, course: Course | None, now: datetime) -> LearnerRows:
    """Return the rows of a learner in a course, or in the home course for None. One query."""
    if course is None:
        rows = _rows_at_home().read(learner=learner.pk, now=now)
        course = next((_home(row) for row in rows if row[0] == COURSE), None)
    else:
        rows = _rows().read(learner=learner.pk, course=course.pk, now=now)
    return LearnerRows(
        course,
        {(kind, slug): text for kind, slug, text, *_ in rows if kind in KINDS},
        sorted(
            OpenAttempt((place, quiz), key, slug, title, unanswered)
            for kind, slug, title, key, unanswered, place, quiz in rows
            if kind == ATTEMPT
        ),
    )


_Row = tuple[str, str, str, int, int, int, int]
_COLUMNS = ("row_kind", "row_slug", "row_text", "row_key", "unanswered", "row_place", "row_quiz")
_ZERO = Value(0)


@cache
def _rows() -> Reader[_Row]:
    return Reader(_progress(Param("course")).union(_attempts(Param("course")), all=True))


@cache
def _rows_at_home() -> Reader[_Row]:
    home = Subquery(Course.objects.values("pk")[:1])
    parts = _progress(home), _attempts(home), _courses(home)
    return Reader(parts[0].union(*parts[1:], all=True))


def _progress(course: Param | Subquery) -> QuerySet[Progress, _Row]:
    rows = Progress.objects.filter(learner=Param("learner"), course=course, kind__in=KINDS)
    named = {"row_kind": F("kind"), "row_slug": F("slug"), "row_text": F("state")}
    numbers = dict.fromkeys(_COLUMNS[3:], _ZERO)
    return rows.annotate(**named, **numbers).order_by().values_list(*_COLUMNS)


def _attempts(course: Param | Subquery) -> QuerySet[Attempt, _Row]:
    rows = Attempt.objects.open(TimeParam("now")).filter(
        learner=Param("learner"), quiz__course=course, quiz__in=Quiz.objects.open().order_by()
    )
    found = rows.annotate(
        row_kind=Value(ATTEMPT, output_field=CharField()),
        row_slug=F("quiz__slug"),
        row_text=F("quiz__title"),
        row_key=F("pk"),
        unanswered=Count("responses", filter=Q(responses__answered_at=None)),
        row_place=F("quiz__place"),
        row_quiz=F("quiz"),
    )
    return found.order_by().values_list(*_COLUMNS)


def _courses(course: Subquery) -> QuerySet[Course, _Row]:
    named = {
        "row_kind": Value(COURSE, output_field=CharField()),
        "row_slug": F("slug"),
        "row_text": Cast("content_token", TextField()),
        "row_key": F("pk"),
    }
    rows = Course.objects.filter(pk=course).annotate(**named, **dict.fromkeys(_COLUMNS[4:], _ZERO))
    return rows.order_by().values_list(*_COLUMNS)


def _home(row: _Row) -> Course:
    """Return the home course by its row, all else of which is read when it is asked for."""
    _, slug, token, key, *_ = row
    columns = ("id", "slug", "content_token")
    return note_token(Course.from_db("default", columns, (key, slug, token and UUID(token))))
