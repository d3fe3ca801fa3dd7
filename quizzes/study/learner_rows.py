"""What a learner has done and begun in a course, in one query: what names the next thing to do.

Every page names it, and on PostgreSQL a query takes as long as a part of the page. So open attempts
are read with the progress that pages show, as rows of one shape, and so is, for a page without a
course, the home course.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import CharField, Count, F, Q, QuerySet, Subquery, TextField, Value
from django.db.models.functions import Cast

from quizzes.assessment.models import Attempt, Quiz
from quizzes.courses.content import note_token
from quizzes.courses.models import Course
from quizzes.learners.models import Learner
from quizzes.learners.progress import COLUMNS, LearnerReader, Row, course_rows
from quizzes.page_reads import read_once
from quizzes.statements import Param, TimeParam

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
    """The states of what a learner met, by kind and slug, and the open attempts.

    What is hidden from the learner is among them. `course` is None on a site without courses.
    """

    course: Course | None
    states: Mapping[tuple[str, str], str] = field(default_factory=dict)
    attempts: Sequence[OpenAttempt] = ()


def learner_rows(learner: Learner, course: Course | None) -> LearnerRows:
    """Return the rows of a learner in a course, or in the home course for None. One query."""
    if course is None:
        rows = read_once(("rows at home", learner.pk), lambda: _rows_at_home().read(learner))
        course = next((_home(row) for row in rows if row[0] == COURSE), None)
    else:
        rows = course_rows(course.pk, learner)
    return LearnerRows(
        course,
        {(kind, slug): text for kind, slug, text, *_ in rows if kind not in {ATTEMPT, COURSE}},
        sorted(
            OpenAttempt((place, quiz), key, slug, title, left)
            for kind, slug, title, key, left, place, quiz in rows
            if kind == ATTEMPT
        ),
    )


def open_attempts(course: Any) -> Sequence[QuerySet[Attempt, Row]]:
    """Return the attempts of the parameter `learner` that are open at `now`, as such rows."""
    rows = Attempt.objects.open(TimeParam("now")).filter(
        learner=Param("learner"), quiz__course=course, quiz__in=Quiz.objects.open().order_by()
    )
    named = rows.annotate(
        row_kind=Value(ATTEMPT, output_field=CharField()),
        row_slug=F("quiz__slug"),
        row_text=F("quiz__title"),
        row_key=F("pk"),
        row_left=Count("responses", filter=Q(responses__answered_at=None)),
        row_place=F("quiz__place"),
        row_thing=F("quiz"),
    )
    return [named.order_by().values_list(*COLUMNS)]


@cache
def _rows_at_home() -> LearnerReader:
    home = Subquery(Course.objects.values("pk")[:1])
    return LearnerReader(home, _courses(home))


def _courses(course: Subquery) -> QuerySet[Course, Row]:
    named = Course.objects.filter(pk=course).annotate(
        row_kind=Value(COURSE, output_field=CharField()),
        row_slug=F("slug"),
        row_text=Cast("content_token", TextField()),
        row_key=F("pk"),
        **dict.fromkeys(COLUMNS[4:], Value(0)),
    )
    return named.order_by().values_list(*COLUMNS)


def _home(row: Row) -> Course:
    """Return the home course by its row, all else of which is read when it is asked for."""
    _, slug, token, key, *_ = row
    columns = ("id", "slug", "content_token")
    return note_token(Course.from_db("default", columns, (key, slug, token and UUID(token))))
