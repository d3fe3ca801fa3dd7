"""Store lessons that were read, and return the stored hashes and contents."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from django.db.models import F
from django.utils import timezone

from quizzes.content_files.stored_hashes import Stored
from quizzes.courses.editions import add_edition
from quizzes.courses.models import Course
from quizzes.lessons.canonical_files import lesson_files
from quizzes.lessons.lesson_files import (
    CourseSource,
    LessonSource,
    StepSource,
    content_hash_of,
    content_of_step,
    lesson_hash_of,
)
from quizzes.lessons.models import Lesson, Step

BEHIND_ALL = 10_000  # more than any place of a step


def stored_course(course: Course) -> Mapping[str, Stored]:
    """Return the hashes of the course itself, by its slug."""
    content = content_hash_of(course.title, course.summary, course.sources, course.lesson_order)
    return {course.slug: Stored(course.loaded_hash, content)}


def stored_lessons(course: Course) -> Mapping[str, Stored]:
    """Return the hashes of a course's lessons. Two queries."""
    return {
        lesson.slug: stored_lesson(lesson)
        for lesson in Lesson.objects.filter(course=course).prefetch_related("steps")
    }


def stored_lesson(lesson: Lesson) -> Stored:
    """Return the hashes of a lesson; one that was never published has no content yet."""
    if not lesson.title:
        return Stored(lesson.loaded_hash, "")
    return Stored(lesson.loaded_hash, lesson_hash(lesson), lesson.withdrawn_at is not None)


def lesson_hash(lesson: Lesson) -> str:
    """Return the hash of a lesson as it is stored. One query, none for steps at hand."""
    steps = [stored_step(step) for step in lesson.steps.all()]
    facts = (lesson.title, lesson.summary, lesson.form, lesson.prerequisites)
    return lesson_hash_of(*facts, steps)


def save_course(course: Course, source: CourseSource) -> str:
    """Store the content of course.yaml. Return "created", "updated" or "unchanged"."""
    facts = {
        "title": source.title,
        "summary": source.summary,
        "sources": {key: asdict(work) for key, work in source.sources.items()},
        "lesson_order": list(source.lessons),
        "loaded_hash": source.content_hash,
    }
    if all(getattr(course, name) == value for name, value in facts.items()):
        return "unchanged"
    made = not course.loaded_hash
    for name, value in facts.items():
        setattr(course, name, value)
    course.save(update_fields=[*facts])
    return "created" if made else "updated"


def save_lesson(course: Course, source: LessonSource) -> str:
    """Store a lesson and its steps. Return "created", "updated" or "unchanged"."""
    before = Lesson.objects.filter(course=course, slug=source.slug).first()
    if before is not None:
        stored = stored_lesson(before)
        same = stored.loaded_hash == stored.content_hash == source.content_hash
        if same and not stored.is_withdrawn:
            return "unchanged"
    lesson = before or Lesson(course=course, slug=source.slug, number=source.number)
    lesson.loaded_hash = source.content_hash
    put_lesson(lesson, source, from_files=True)
    return "created" if before is None else "updated"


def put_lesson(lesson: Lesson, source: LessonSource, **facts: Any) -> None:
    """Give a lesson its content, and learners the lesson.

    A step that keeps its name keeps its row, with its small picture. `facts` say in its edition who
    did so, as `add_edition` has them.
    """
    if lesson.pk and lesson.title:
        add_lesson_edition(Lesson.objects.get(pk=lesson.pk))
    elif lesson.pk:
        lesson.made_at = timezone.now()  # learners read of a new lesson when it is published
    lesson.title, lesson.summary, lesson.form = source.title, source.summary, source.form
    lesson.prerequisites, lesson.withdrawn_at = list(source.prerequisites), None
    lesson.save()
    _put_steps(lesson, source.steps_read)
    add_lesson_edition(Lesson.objects.get(pk=lesson.pk), **facts)


def _put_steps(lesson: Lesson, steps: Sequence[StepSource]) -> None:
    lesson.steps.exclude(slug__in=[step.slug for step in steps]).delete()
    there = dict(lesson.steps.values_list("slug", "pk"))
    lesson.steps.update(number=F("number") + BEHIND_ALL)  # no two have one place meanwhile
    for number, step in enumerate(steps, start=1):
        row = _row(lesson, number, step)
        row.pk = there.get(step.slug)
        row.save()


def add_lesson_edition(lesson: Lesson, **facts: Any) -> None:
    """Note what a lesson says now as its newest edition, if it said something else before."""
    files = lesson_files(content_of_lesson(lesson))
    add_edition(lesson, files, lesson_hash(lesson), **facts)


def content_of_lesson(lesson: Lesson) -> dict[str, Any]:
    """Return a stored lesson as the fields of its form. One query, none for steps at hand."""
    return {
        "title": lesson.title,
        "summary": lesson.summary,
        "form": str(lesson.form),
        "prerequisites": list(lesson.prerequisites),
        "steps": [
            {
                "slug": step.slug,
                "title": step.title,
                "going_deeper": step.going_deeper,
                "as_of": step.as_of.isoformat() if step.as_of else "",
                "sources": [
                    {"work": source["key"], "where": source["where"]} for source in step.sources
                ],
                "text": step.text,
            }
            for step in lesson.steps.all()
        ],
    }


def _row(lesson: Lesson, number: int, step: StepSource) -> Step:
    return Step(
        lesson=lesson,
        slug=step.slug,
        number=number,
        title=step.title,
        text=step.text,
        sources=[{"key": key, "where": where} for key, where in step.sources],
        reading_seconds=step.reading_seconds,
        code_seconds=step.code_seconds,
        going_deeper=step.going_deeper,
        as_of=step.as_of or None,
    )


def stored_step(step: Step) -> dict[str, Any]:
    """Return what the hash of a lesson says of a stored step."""
    sources = [(source["key"], source["where"]) for source in step.sources]
    return content_of_step(
        step.slug,
        step.title,
        step.text,
        sources,
        going_deeper=step.going_deeper,
        as_of=step.as_of.isoformat() if step.as_of else "",
    )
