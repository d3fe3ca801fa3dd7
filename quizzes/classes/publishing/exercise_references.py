"""The exercises from which the generator of a question may take a reference and known mistakes."""

from collections.abc import Mapping

from quizzes.assessment.generator.generator_files import NUMPY
from quizzes.courses.content import cached_content
from quizzes.exercises.models import Exercise
from quizzes.grader.api import DefinitionError


def exercise_files(course: int, slug: str) -> Mapping[str, str]:
    """Return the files of an exercise as learners get it, none without one. One query."""
    rows = Exercise.objects.filter(course=course, slug=slug, withdrawn_at=None)
    exercise = rows.select_related("current").first()
    return exercise.current.files if exercise and exercise.current else {}


@cached_content
def exercises_to_draw_from(course: int) -> Mapping[str, str]:
    """Return the titles of a course's numpy functions by name, in the order of the course."""
    rows = Exercise.objects.filter(course=course, current__isnull=False, withdrawn_at=None)
    return {
        exercise.slug: exercise.current.title
        for exercise in rows.select_related("current").order_by("place", "slug")
        if exercise.current is not None and _is_numpy_function(exercise)
    }


def _is_numpy_function(exercise: Exercise) -> bool:
    assert exercise.current is not None
    try:
        definition = exercise.current.definition
    except DefinitionError:
        return False
    return definition.library == NUMPY and definition.kind == "function"
