"""The lessons of a course with their steps, without texts; shared by requests, nobody changes them.

As new objects they cost 2.8 ms of a page, kept 0.3.
"""

from copy import copy
from typing import Any

from django.db.models import QuerySet
from django.http import Http404

from quizzes.courses.models import LATER, Course
from quizzes.kept_rows import Kept, field_names
from quizzes.lessons.models import Lesson, Step


def _lesson_rows(course: int) -> QuerySet[Lesson, Any]:
    rows = Lesson.objects.filter(course=course, withdrawn_at=None).order_by("number", "pk")
    return rows.values_list(*field_names(Lesson), *field_names(Course, "course__", LATER))


def _step_rows(course: int) -> QuerySet[Step, Any]:
    """Return what the steps are made of. With their lessons in each row it takes twice as long."""
    rows = Step.objects.filter(lesson__course=course, lesson__withdrawn_at=None)
    rows = rows.order_by("lesson", "number")
    return rows.values_list(*field_names(Step, without=("text", "sources")))


def _made(course: int) -> tuple[Lesson, ...]:
    there = Lesson.objects.filter(course=course, withdrawn_at=None)
    return tuple(there.with_steps().order_by("number"))


_kept = Kept(_made, _lesson_rows, _step_rows)


def _named(course: int, slug: str) -> Lesson | None:
    return Lesson.objects.with_steps().filter(course=course, slug=slug).first()


def _named_row(course: int, slug: str) -> QuerySet[Lesson, Any]:
    row = Lesson.objects.filter(course=course, slug=slug)
    return row.values_list(*field_names(Lesson), *field_names(Course, "course__", LATER))


def _step_rows_of(course: int, slug: str) -> QuerySet[Step, Any]:
    rows = Step.objects.filter(lesson__course=course, lesson__slug=slug).order_by("number")
    return rows.values_list(*field_names(Step, without=("text", "sources")))


_kept_named = Kept(_named, _named_row, _step_rows_of, values=(int, str))


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


def lesson_named(course: Course, slug: str) -> Lesson | None:
    """Return a lesson of a course, one that was withdrawn too. Two queries."""
    return _kept_named(course.pk, slug)


def kept_lessons(course: Course) -> tuple[Lesson, ...]:
    """Return the lessons of a course in their order, without those withdrawn. Two queries."""
    return _kept(course.pk)
