"""The order of a course's lessons: a fact of the course alone, as `lessons` in course.yaml is.

The number of a lesson, and the places of exercises and quizzes, follow from it. So moving a lesson
edits no lesson, and a load leaves the order alone as long as course.yaml says what it said.
"""

from collections.abc import Sequence
from typing import Any

from django.db import transaction

from quizzes.assessment.models import Quiz
from quizzes.classes.publishing.step_places import STEPS_AT_MOST
from quizzes.content_files.stored_hashes import hash_of
from quizzes.courses.audit import record
from quizzes.courses.drafts import lock_course
from quizzes.courses.models import Course
from quizzes.exercises.models import Exercise
from quizzes.learners.models import User
from quizzes.lessons.models import Lesson


class StaleOrderError(Exception):
    """Somebody changed the order after the page was opened; nothing was moved."""


def ordered_lessons(course: Course) -> list[Lesson]:
    """Return the lessons in the order of the course; those that it does not name come last."""
    rows = Lesson.objects.filter(course=course, withdrawn_at=None).prefetch_related("steps")
    return in_order(course, rows)


def in_order(course: Course, lessons: Any) -> list[Lesson]:
    """Return lessons of a course in its order."""
    order = {slug: place for place, slug in enumerate(course.lesson_order)}
    return sorted(lessons, key=lambda lesson: (order.get(lesson.slug, len(order)), lesson.number))


def order_token(slugs: Sequence[str]) -> str:
    """Return what the form of a page carries, to say which order the page shows."""
    return hash_of(list(slugs))


@transaction.atomic
def move_lesson(course: Course, slug: str, *, by: int, shown: str, editor: User) -> Lesson:
    """Move a lesson `by` places down, or up for less than 0; return it with its number then.

    `shown` is the token of the order that the page had. Raises StaleOrderError for another one,
    also where the course has no such lesson any more.
    """
    lock_course(course.pk)
    course.refresh_from_db(fields=["lesson_order"])
    lessons = {lesson.slug: lesson for lesson in in_order(course, _available(course))}
    slugs = list(lessons)
    if slug not in lessons or order_token(slugs) != shown:
        raise StaleOrderError(f"the order of the lessons of {course.slug} was changed meanwhile")
    slugs.remove(slug)
    place = min(max(list(lessons).index(slug) + by, 0), len(slugs))
    slugs.insert(place, slug)
    if slugs != list(lessons):
        course.lesson_order = slugs
        Course.objects.filter(pk=course.pk).update(lesson_order=slugs)
        _move_places(course, number_lessons(course))
        about = f"{lessons[slug].title}, to place {place + 1} of {len(slugs)}"
        record(by=editor, act="moved the lesson", about=about, course=course)
    lessons[slug].number = place + 1
    return lessons[slug]


def number_lessons(course: Course) -> dict[int, int]:
    """Store the numbers of the lessons by the order of the course; return new ones by old ones.

    Call it with the row of the course locked. Those that learners do not see have numbers too,
    which no other lesson has: so withdrawing and restoring one moves nothing.
    """
    lessons = in_order(course, Lesson.objects.filter(course=course))
    numbers: dict[int, int] = {}
    moved = []
    # Rows of an earlier release may share a number: it is that of the lesson that learners see.
    for number, lesson in sorted(enumerate(lessons, start=1), key=_is_hidden):
        numbers.setdefault(lesson.number, number)
        if lesson.number != number:
            lesson.number = number
            moved.append(lesson)
    if moved:
        Lesson.objects.bulk_update(moved, ["number"])
    return numbers


def _is_hidden(numbered: tuple[int, Lesson]) -> bool:
    return numbered[1].withdrawn_at is not None


def _available(course: Course) -> Any:
    return Lesson.objects.filter(course=course, withdrawn_at=None)


def _move_places(course: Course, numbers: dict[int, int]) -> None:
    """Have exercises stay at their steps, and quizzes behind their lessons."""
    models: tuple[Any, ...] = (Exercise, Quiz)
    for model in models:
        moved = []
        for row in model.objects.filter(course=course).only("pk", "course", "place"):
            lesson, rest = divmod(row.place, STEPS_AT_MOST)
            if lesson in numbers:
                row.place = numbers[lesson] * STEPS_AT_MOST + rest
                moved.append(row)
        model.objects.bulk_update(moved, ["place"])
