"""The places of exercises, which stand at their steps, when the steps of a lesson move."""

from collections.abc import Mapping

from quizzes.exercises.models import Exercise
from quizzes.lessons.models import Lesson

STEPS_AT_MOST = 1000  # of a lesson: room between the places of two lessons


def move_exercises(lesson: Lesson, before: Mapping[str, int]) -> None:
    """Have the exercises of a lesson stay at their steps, whose numbers were those of `before`.

    Call it with the row of the course locked, once the new steps are stored.
    """
    now = dict(lesson.steps.values_list("slug", "number"))
    moved_to = {number: now[slug] for slug, number in before.items() if slug in now}
    begin = lesson.number * STEPS_AT_MOST
    rows = Exercise.objects.filter(
        course=lesson.course_id, place__gte=begin, place__lt=begin + STEPS_AT_MOST
    )
    moved = []
    for row in rows.only("pk", "course", "place"):
        number = row.place - begin
        if moved_to.get(number, number) != number:
            row.place = begin + moved_to[number]
            moved.append(row)
    Exercise.objects.bulk_update(moved, ["place"])
