"""The lessons of a course with their steps, without texts; shared by requests, nobody changes them.

As new objects they cost 2.8 ms of a page, kept 0.3.
"""

from copy import copy

from django.db.models import QuerySet
from django.http import Http404

from quizzes.courses.models import LATER_OF_COURSE, Course
from quizzes.kept_rows import Kept
from quizzes.lessons.models import Lesson, Step


def _lesson_rows(course: int) -> QuerySet[Lesson]:
    rows = Lesson.objects.select_related("course").defer(*LATER_OF_COURSE)
    return rows.filter(course=course).order_by("number")


def _step_rows(course: int) -> QuerySet[Step]:
    rows = Step.objects.filter(lesson__course=course).defer("text", "sources")
    return rows.order_by("lesson", "number")


def _made(course: int) -> tuple[Lesson, ...]:
    return tuple(Lesson.objects.with_steps().filter(course=course).order_by("number"))


_kept = Kept(_made, _lesson_rows, _step_rows)


def _whole_row(step: int) -> QuerySet[Step]:
    return Step.objects.filter(pk=step)


_kept_step = Kept(lambda step: _whole_row(step).first(), _whole_row)


def whole_step(step: Step, lesson: Lesson) -> Step:
    """Return a step with its text and sources. One query."""
    found = copy(_kept_step(step.pk))
    if found is None:
        raise Http404(f"step {step.slug} is gone")
    found.lesson = lesson
    return found


def kept_lessons(course: Course) -> list[Lesson]:
    """Return the lessons of a course in their order, those that were withdrawn left out."""
    return [one for one in all_lessons(course) if one.withdrawn_at is None]


def all_lessons(course: Course) -> tuple[Lesson, ...]:
    """Return every lesson of a course, in their order. Two queries."""
    return _kept(course.pk)
