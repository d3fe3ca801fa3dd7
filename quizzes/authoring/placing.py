"""The order in which a course leads to its exercises and quizzes: that of its lessons.

An exercise stands at its step, a quiz behind the lesson that most of its questions are explained
in. What was made in the browser and belongs to no lesson comes last, as it was made.
"""

from collections import Counter
from typing import Any

from quizzes.assessment.models import Quiz
from quizzes.authoring.course_files import CourseFiles
from quizzes.exercises.models import Exercise

STEPS_AT_MOST = 1000  # of a lesson: room between the places of two lessons


def set_places(files: CourseFiles) -> None:
    """Store the places of exercises and quizzes. Writes only what moved."""
    at_step = {
        path: lesson.number * STEPS_AT_MOST + number
        for lesson in files.sources["lesson"]
        for number, path in enumerate((f"{lesson.slug}/{one.slug}" for one in lesson.steps_read), 1)
    }
    exercises = {one.slug: _first(one, at_step) for one in files.sources["exercise"]}
    _store(Exercise, exercises)
    of_question = {one.slug: _first(one, at_step) for one in files.sources["question"]}
    quizzes = {
        quiz.slug: _after_its_lesson([of_question.get(slug) for slug, _ in quiz.questions])
        for quiz in files.sources["quiz"]
    }
    _store(Quiz, quizzes)


def _first(source: Any, at_step: dict[str, int]) -> int | None:
    """Return the place of the step that a question or an exercise belongs to."""
    return next((at_step[path] for path, _ in source.steps if path in at_step), None)


def _after_its_lesson(places: list[int | None]) -> int | None:
    lessons = Counter(place // STEPS_AT_MOST for place in places if place is not None)
    return (lessons.most_common(1)[0][0] + 1) * STEPS_AT_MOST - 1 if lessons else None


def _store(model: type[Any], places: dict[str, int | None]) -> None:
    moved = []
    for row in model.objects.filter(slug__in=places).only("pk", "slug", "place"):
        place = places[row.slug]
        if place is not None and row.place != place:
            row.place = place
            moved.append(row)
    model.objects.bulk_update(moved, ["place"])
