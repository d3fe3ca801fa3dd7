"""The lessons of a course with their steps, without texts: cached, nobody changes them."""

from collections.abc import Mapping
from copy import copy
from types import MappingProxyType

from django.http import Http404

from quizzes.courses.content import cached_content
from quizzes.courses.models import Course
from quizzes.lessons.models import Lesson, Step


@cached_content
def _lessons(course: int) -> tuple[Mapping[str, Lesson], tuple[Lesson, ...]]:
    """Return all lessons by slug, and in their order those that were not withdrawn."""
    rows = list(Lesson.objects.filter(course=course).with_steps().order_by("number", "pk"))
    by_slug = MappingProxyType({lesson.slug: lesson for lesson in rows})
    return by_slug, tuple(lesson for lesson in rows if lesson.withdrawn_at is None)


@cached_content
def _whole_step(_course: int, step: int) -> Step | None:
    return Step.objects.filter(pk=step).first()


def whole_step(step: Step, lesson: Lesson) -> Step:
    """Return a step with its text and sources. One query."""
    row = copy(_whole_step(lesson.course_id, step.pk))
    if row is None:
        raise Http404(f"step {step.slug} is gone")
    row.lesson = lesson
    return row


def lesson_named(course: Course, slug: str) -> Lesson | None:
    """Return a lesson of a course, one that was withdrawn too. One query."""
    return _lessons(course.pk)[0].get(slug)


def course_lessons(course: Course) -> tuple[Lesson, ...]:
    """Return the lessons of a course in their order, without those withdrawn. One query."""
    return _lessons(course.pk)[1]
