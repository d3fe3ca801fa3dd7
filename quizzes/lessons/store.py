"""Store lessons that were read, and return the stored hashes."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from quizzes.content_files.stored_hashes import Stored
from quizzes.courses.models import Course
from quizzes.lessons.lesson_files import (
    CourseSource,
    LessonSource,
    StepSource,
    content_hash_of,
    content_of_step,
)
from quizzes.lessons.models import Lesson, Step


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
    """Return the hashes of a lesson that was read with its steps. No query."""
    content = content_hash_of(
        lesson.title,
        lesson.summary,
        lesson.form,
        lesson.prerequisites,
        [stored_step(step) for step in lesson.steps.all()],
    )
    return Stored(lesson.loaded_hash, content, lesson.withdrawn_at is not None)


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
    facts = {
        "title": source.title,
        "summary": source.summary,
        "form": source.form,
        "prerequisites": list(source.prerequisites),
        "loaded_hash": source.content_hash,
        "withdrawn_at": None,
    }
    lesson, made = Lesson.objects.update_or_create(
        course=course,
        slug=source.slug,
        defaults=facts,
        # Its place is the course's, which may have been changed in the browser.
        create_defaults={**facts, "number": source.number},
    )
    lesson.steps.all().delete()  # nothing refers to the rows: progress names steps by their slugs
    Step.objects.bulk_create(
        _row(lesson, number, step) for number, step in enumerate(source.steps_read, start=1)
    )
    return "created" if made else "updated"


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
    )


def stored_step(step: Step) -> dict[str, Any]:
    """Return what the hash of a lesson says of a stored step."""
    sources = [(source["key"], source["where"]) for source in step.sources]
    return content_of_step(
        step.slug, step.title, step.text, sources, going_deeper=step.going_deeper
    )
