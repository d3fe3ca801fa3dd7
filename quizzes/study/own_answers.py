"""What a learner answered and submitted in a course, each read once for a page.

The map, the lists and the progress page work out different things of the same rows.
"""

from collections.abc import Sequence, Set
from datetime import datetime
from functools import cache
from typing import NamedTuple

from django.db.models import BooleanField, Case, Count, Max, Q, Value, When
from django.utils import timezone

from quizzes.assessment.models import Attempt, Response
from quizzes.courses.models import Course
from quizzes.exercises.models import Submission
from quizzes.learners.models import Learner
from quizzes.learners.services import hidden_slugs
from quizzes.page_reads import read_once
from quizzes.statements import Param, Reader, TimeParam


class AnsweredQuestion(NamedTuple):
    """An answer that counts: the question's name, the step of a lesson that asked, or "".

    `may_name_mistake`: it is wrong, and of a kind that may be a known mistake.
    """

    key: int
    slug: str
    step: str
    is_right: bool
    at: datetime
    may_name_mistake: bool


def answered_questions(course: Course, learner: Learner) -> Sequence[AnsweredQuestion]:
    """Return the answers of a learner in a course, the newest first, without hidden ones.

    One query. Those of an attempt are among them when it is submitted.
    """
    rows, hidden = _rows_and_hidden(course, learner)
    return [row for row in rows if row.slug not in hidden]


def hidden_questions(course: Course, learner: Learner) -> frozenset[str]:
    """Return the questions that a learner has answered and whose results a class hides.

    No query after `answered_questions`.
    """
    rows, hidden = _rows_and_hidden(course, learner)
    return frozenset(row.slug for row in rows if row.slug in hidden)


def _rows_and_hidden(
    course: Course, learner: Learner
) -> tuple[Sequence[AnsweredQuestion], Set[str]]:
    def read() -> list[AnsweredQuestion]:
        which = {"learner": learner.pk, "course": course.pk, "now": timezone.now()}
        return [AnsweredQuestion(*row) for row in _answers().read(**which)]

    rows = read_once(("answered questions", course.pk, learner.pk), read)
    return rows, hidden_slugs(learner, course.pk, "question") if rows else set()


@cache
def _answers() -> Reader[tuple[int, str, str, bool, datetime, bool]]:
    over = Attempt.objects.handed_in(TimeParam("now")).filter(learner=Param("learner"))
    mine = Q(learner=Param("learner")) | Q(attempt__in=over.values("pk"))
    answered = Response.objects.filter(mine, version__question__course=Param("course"))
    counted = answered.filter(answered_at__isnull=False, is_dropped=False)
    named = Q(choice__mistake__gt="") | Q(choices__isnull=False) | Q(number__isnull=False)
    mistaken = When(Q(is_right=False) & named, then=Value(True))
    rows = counted.annotate(
        may_name_mistake=Case(mistaken, default=Value(False), output_field=BooleanField())
    )
    columns = ("pk", "version__question__slug", "step", "is_right", "answered_at")
    return Reader(rows.order_by("-answered_at", "-pk").values_list(*columns, "may_name_mistake"))


class SubmitCounts(NamedTuple):
    """The Submits of a learner to one exercise: how many, the newest, and what came of them.

    `solved_at`: when one was last right; `mistakes`: how many made a known mistake.
    """

    exercise: int
    slug: str
    number: int
    latest: int
    solved_at: datetime | None
    mistakes: int


def submit_counts(course: Course, learner: Learner) -> Sequence[SubmitCounts]:
    """Return the Submits of a learner in a course, by exercise. One query."""

    def read() -> list[SubmitCounts]:
        which = {"learner": learner.pk, "course": course.pk}
        return [SubmitCounts(*row) for row in _submits().read(**which)]

    return read_once(("submit counts", course.pk, learner.pk), read)


@cache
def _submits() -> Reader[tuple[int, str, int, int, datetime | None, int]]:
    mine = Submission.objects.filter(
        learner=Param("learner"),
        kind=Submission.Kind.SUBMIT,
        exercise_version__exercise__course=Param("course"),
    )
    named = ("exercise_version__exercise", "exercise_version__exercise__slug")
    counts = {
        "number": Count("pk"),
        "latest": Max("pk"),
        "solved_at": Max("graded_at", filter=Q(verdict="correct")),
        "mistakes": Count("pk", filter=~Q(known_mistake="")),
    }
    counted = mine.order_by().values(*named).annotate(**counts)
    return Reader(counted.values_list(*named, *counts))
