"""Everything that the pages of courses count over all answers, for the workers to count again."""

from collections.abc import Callable, Iterator
from typing import Any

from quizzes.assessment.models import Quiz
from quizzes.courses.models import Course
from quizzes.exercises.models import Exercise
from quizzes.teaching.count_cache import refresh_one
from quizzes.teaching.course_results import question_counts
from quizzes.teaching.course_views import recent_counts
from quizzes.teaching.exercise_views import all_exercise_counts, exercise_counts


def course_counts() -> Iterator[tuple[str, Callable[[], Any]]]:
    """Yield every count that a page may keep, by its name."""
    for course in Course.objects.order_by("pk"):
        quizzes = Quiz.objects.filter(course=course).values_list("slug", flat=True)
        for slug in ("", *quizzes):
            yield question_counts(course, slug)
        yield recent_counts(course)
        yield all_exercise_counts(course)
        for exercise in Exercise.objects.filter(course=course, current__isnull=False):
            yield exercise_counts(course, exercise)


def refresh_next() -> bool:
    """Refresh the next count that is due; return whether there was one."""
    return refresh_one(course_counts())
