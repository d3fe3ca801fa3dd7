"""The quizzes that learners find in a course, with their counts; shared, nobody changes them.

Django takes 1 ms to write the query with counts, the database 0.1 to answer it.
"""

from copy import copy
from typing import Any

from django.db.models import QuerySet

from quizzes.assessment.models import Quiz
from quizzes.assessment.models.questions import questions_asked
from quizzes.assessment.services import quizzes_with_counts
from quizzes.courses.models import LATER_OF_COURSE, Course
from quizzes.kept_rows import Kept


def _rows(course: int) -> QuerySet[Quiz]:
    counted = Quiz.objects.filter(course=course).listed().annotate(asked=questions_asked())
    # A query that counts has no order by itself.
    return counted.select_related("course").defer(*LATER_OF_COURSE).order_by("place", "pk")


def _made(course: int) -> tuple[Any, ...]:
    return tuple(quiz for quiz in _rows(course) if quiz.asked)  # type: ignore[attr-defined]


_kept = Kept(_made, _rows)


def kept_quizzes(course: Course) -> tuple[Any, ...]:
    """Return the open quizzes with a question, in their order, each with `asked`. One query."""
    return _kept(course.pk)


def _listed_rows(course: int) -> QuerySet[Quiz]:
    return quizzes_with_counts(course).listed()


def _listed(course: int) -> tuple[Quiz, ...]:
    return tuple(_listed_rows(course))


_kept_list = Kept(_listed, _listed_rows)


def listed_quizzes(course: Course) -> tuple[Quiz, ...]:
    """Return the quizzes of the list with `asked` and `waiting`, in their order. One query."""
    return _kept_list(course.pk)


def _counted_rows(course: int) -> QuerySet[Quiz]:
    return quizzes_with_counts(course)


_kept_all = Kept(lambda course: tuple(_counted_rows(course)), _counted_rows)


def quiz_named(course: Course, slug: str) -> Quiz | None:
    """Return a quiz with `asked` and `waiting`, one that was withdrawn too. One query."""
    found = (one for one in _kept_all(course.pk) if one.slug == slug)
    return copy(next(found, None))


def _step_rows(course: int) -> QuerySet[Quiz, Any]:
    questions = Quiz.objects.filter(course=course, questions__withdrawn_at=None)
    return questions.values_list("pk", "questions__current__step")


def _steps(course: int) -> tuple[tuple[int, str], ...]:
    return tuple(_step_rows(course))


# The steps that the questions of each quiz are about, as (key of the quiz, step). One query.
quiz_steps = Kept(_steps, _step_rows)
