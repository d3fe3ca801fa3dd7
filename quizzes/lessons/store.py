"""Store lessons that were read, and return the stored hashes."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from quizzes.content_files.stored_hashes import Stored
from quizzes.lessons.lesson_files import CourseSource, LessonSource, StepSource, content_hash_of
from quizzes.lessons.models import Course, Lesson, Step


def stored_courses() -> Mapping[str, Stored]:
    """Return the hashes of the courses in the database."""
    return {
        course.slug: Stored(
            course.loaded_hash,
            content_hash_of(course.title, course.summary, course.sources, course.lesson_order),
        )
        for course in Course.objects.all()
    }


def stored_lessons() -> Mapping[str, Stored]:
    """Return the hashes of the lessons in the database."""
    return {
        lesson.slug: Stored(
            lesson.loaded_hash,
            content_hash_of(
                lesson.number,
                lesson.title,
                lesson.summary,
                lesson.form,
                lesson.prerequisites,
                [_stored_step(step) for step in lesson.steps.all()],
            ),
        )
        for lesson in Lesson.objects.prefetch_related("steps")
    }


def save_course(source: CourseSource) -> str:
    """Store a course. Return "created", "updated" or "unchanged"."""
    facts = {
        "title": source.title,
        "summary": source.summary,
        "sources": {key: asdict(work) for key, work in source.sources.items()},
        "lesson_order": list(source.lessons),
        "loaded_hash": source.content_hash,
    }
    before = Course.objects.filter(slug=source.slug).first()
    if before and all(getattr(before, name) == value for name, value in facts.items()):
        return "unchanged"
    course, made = Course.objects.update_or_create(slug=source.slug, defaults=facts)
    _drop_unnamed_lessons(course)
    return "created" if made else "updated"


def save_lesson(source: LessonSource) -> str:
    """Store a lesson and its steps. Return "created", "updated" or "unchanged"."""
    before = Lesson.objects.filter(slug=source.slug).first()
    if before and before.loaded_hash == source.content_hash:
        stored = stored_lessons()[source.slug]
        if stored.content_hash == source.content_hash:
            return "unchanged"
    lesson, made = Lesson.objects.update_or_create(
        slug=source.slug,
        defaults={
            "course": Course.objects.get(slug=source.course),
            "number": source.number,
            "title": source.title,
            "summary": source.summary,
            "form": source.form,
            "prerequisites": list(source.prerequisites),
            "loaded_hash": source.content_hash,
        },
    )
    lesson.steps.all().delete()  # nothing refers to the rows: progress names steps by their slugs
    Step.objects.bulk_create(
        _row(lesson, number, step) for number, step in enumerate(source.steps_read, start=1)
    )
    return "created" if made else "updated"


def _drop_unnamed_lessons(course: Course) -> None:
    """Delete lessons that left the files; lessons edited in the browser stay."""
    stored = stored_lessons()
    for lesson in course.lessons.exclude(slug__in=course.lesson_order):
        if stored[lesson.slug].loaded_hash == stored[lesson.slug].content_hash:
            lesson.delete()


def _row(lesson: Lesson, number: int, step: StepSource) -> Step:
    return Step(
        lesson=lesson,
        slug=step.slug,
        number=number,
        title=step.title,
        text=step.text,
        sources=[{"key": key, "where": where} for key, where in step.sources],
        reading_seconds=step.reading_seconds,
    )


def _stored_step(step: Step) -> dict[str, Any]:
    sources = [[source["key"], source["where"]] for source in step.sources]
    return {"slug": step.slug, "title": step.title, "text": step.text, "sources": sources}
