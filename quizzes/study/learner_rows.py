"""What a learner has done and begun in a course, in one query: what names the next thing to do.

Every page names it, and on PostgreSQL a query takes as long as a part of the page. So attempts and
the times of code are read with the progress that pages show, as rows of one shape, and so is, for a
page without a course, the home course.

Progress keeps the best state, and its time says when that was reached, by the learner or by a
regrade. So when a quiz was last submitted is read from attempts, and when an exercise was last
tried from submissions.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import CharField, Count, F, Max, Q, QuerySet, Subquery, TextField, Value
from django.db.models.functions import Cast, Coalesce
from django.utils import timezone

from quizzes.assessment.models import Attempt, Quiz
from quizzes.classes.own_work import held_back_work
from quizzes.courses.content import note_token
from quizzes.courses.models import Course
from quizzes.exercises.models import Exercise, Submission
from quizzes.learners.models import Learner, Progress
from quizzes.learners.progress import (
    COLUMNS,
    NO_NUMBERS,
    NO_TIME,
    LearnerReader,
    Row,
    course_rows,
)
from quizzes.page_reads import read_once
from quizzes.statements import Param, TimeParam

# Kinds of rows, next to those of progress.
ATTEMPT, COURSE = "attempt", "course"
SUBMITTED_QUIZ, SUBMITTED_CODE = "submitted quiz", "submitted code"
KIND_OF_TIME = {
    SUBMITTED_QUIZ: Progress.Kind.QUIZ.value,
    SUBMITTED_CODE: Progress.Kind.EXERCISE.value,
}


class OpenAttempt(NamedTuple):
    """An attempt that takes answers: its quiz, what is left, its last answer and its deadline."""

    key: int
    quiz: str
    title: str
    unanswered: int
    sitting: int  # 0 for practice
    at: datetime  # of the newest answer, or of its start
    deadline: datetime | None


@dataclass
class LearnerRows:
    """The states and times of what a learner met, by kind and slug; open attempts, newest first.

    What is hidden from the learner is among them. `submitted`: quizzes and exercises of which an
    attempt was submitted, which says nothing of a result. `course` is None on a site without
    courses.
    """

    course: Course | None
    states: Mapping[tuple[str, str], str] = field(default_factory=dict)
    times: Mapping[tuple[str, str], datetime] = field(default_factory=dict)
    attempts: Sequence[OpenAttempt] = ()
    submitted: Collection[tuple[str, str]] = ()


def learner_rows(learner: Learner, course: Course | None) -> LearnerRows:
    """Return the rows of a learner in a course, or in the home course for None. One query."""
    if course is None:
        rows = read_once(("rows at home", learner.pk), lambda: _rows_at_home().read(learner))
        course = next((_home(row) for row in rows if row[0] == COURSE), None)
    else:
        rows = course_rows(course.pk, learner)
    states: dict[tuple[str, str], str] = {}
    times: dict[tuple[str, str], datetime] = {}
    submitted: dict[tuple[str, str], datetime] = {}
    attempts: list[OpenAttempt] = []
    for kind, slug, text, key, left, sitting, at, until in rows:
        if kind == ATTEMPT and at is not None:
            attempts.append(OpenAttempt(key, slug, text, left, sitting, at, until))
        elif kind in KIND_OF_TIME and at is not None:
            submitted[KIND_OF_TIME[kind], slug] = at
        elif kind != COURSE and at is not None:
            states[kind, slug], times[kind, slug] = text, at
    attempts = _shown(learner, attempts)
    attempts.sort(key=lambda attempt: attempt.at, reverse=True)
    return LearnerRows(course, states, times | submitted, attempts, submitted.keys())


def _shown(learner: Learner, attempts: list[OpenAttempt]) -> list[OpenAttempt]:
    """Return the attempts without those for other classes while staff of one view as the learner.

    The work of a class is read by every page of a member: no more queries.
    """
    if learner.only_class is None:
        return attempts
    works = held_back_work(learner, timezone.now())
    theirs = [work.assignment for work in works if work.assignment.cohort_id == learner.only_class]
    sittings = {0, *(assignment.sitting for assignment in theirs)}
    return [attempt for attempt in attempts if attempt.sitting in sittings]


def rows_of_work(course: Any) -> Sequence[QuerySet[Any, Row]]:
    """Return the work of the parameter `learner` in a course as rows of progress.

    The attempts that are open at `now`, and when quizzes and code were last submitted.
    """
    return [_open_attempts(course), _submitted_quizzes(course), _submitted_code(course)]


def _open_attempts(course: Any) -> QuerySet[Attempt, Row]:
    rows = Attempt.objects.open(TimeParam("now")).filter(
        learner=Param("learner"), quiz__course=course, quiz__in=Quiz.objects.open().order_by()
    )
    named = rows.annotate(
        row_kind=Value(ATTEMPT, output_field=CharField()),
        row_slug=F("quiz__slug"),
        row_text=F("quiz__title"),
        row_key=F("pk"),
        row_left=Count("responses", filter=Q(responses__answered_at=None)),
        row_sitting=Coalesce("sitting", 0),
        row_at=Coalesce(Max("responses__answered_at"), "started_at"),
        row_until=F("deadline_at"),
    )
    return named.order_by().values_list(*COLUMNS)


def _submitted_quizzes(course: Any) -> QuerySet[Quiz, Row]:
    over = Attempt.objects.handed_in(TimeParam("now")).filter(learner=Param("learner"))
    rows = Quiz.objects.filter(course=course, attempts__in=over.order_by().values("pk"))
    at = Max(Coalesce("attempts__submitted_at", "attempts__deadline_at"))
    return _times(rows, SUBMITTED_QUIZ, at)


def _submitted_code(course: Any) -> QuerySet[Exercise, Row]:
    path = "versions__submissions"
    mine = {f"{path}__learner": Param("learner"), f"{path}__kind": Submission.Kind.SUBMIT}
    rows = Exercise.objects.filter(course=course, **mine)
    return _times(rows, SUBMITTED_CODE, Max(f"{path}__submitted_at"))


def _times(rows: QuerySet[Any], kind: str, at: Max) -> QuerySet[Any, Row]:
    named: QuerySet[Any] = rows.annotate(
        row_kind=Value(kind, output_field=CharField()),
        row_slug=F("slug"),
        row_text=Value("", output_field=CharField()),
        **NO_NUMBERS,
        row_at=at,
        row_until=NO_TIME,
    )
    times: QuerySet[Any, Row] = named.order_by().values_list(*COLUMNS)
    return times


@cache
def _rows_at_home() -> LearnerReader:
    home = Subquery(Course.objects.values("pk")[:1])
    return LearnerReader(home, _courses(home))


def _courses(course: Subquery) -> QuerySet[Course, Row]:
    named = Course.objects.filter(pk=course).annotate(
        row_kind=Value(COURSE, output_field=CharField()),
        row_slug=F("slug"),
        row_text=Cast("content_token", TextField()),
        **(NO_NUMBERS | {"row_key": F("pk")}),
        row_at=NO_TIME,
        row_until=NO_TIME,
    )
    return named.order_by().values_list(*COLUMNS)


def _home(row: Row) -> Course:
    """Return the home course by its row, all else of which is read when it is asked for."""
    _, slug, token, key, *_ = row
    columns = ("id", "slug", "content_token")
    return note_token(Course.from_db("default", columns, (key, slug, token and UUID(token))))
