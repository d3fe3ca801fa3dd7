"""The shipped courses as the tests of their content see them."""

from functools import cache
from pathlib import Path

from quizzes.assessment.question_files import read_questions
from quizzes.assessment.sources import QuestionSource
from quizzes.content_files.files import DiskFiles
from quizzes.lessons.lesson_files import LessonSource, StepSource, read_lessons
from tests.course_folders import COURSES, POSITIONAL

COURSE = POSITIONAL  # where a test says no other


@cache
def lessons(course: Path = COURSE) -> tuple[LessonSource, ...]:
    """Return every lesson of a course, in its order."""
    return tuple(read_lessons(DiskFiles(course))[0])


@cache
def questions(course: Path = COURSE) -> dict[str, QuestionSource]:
    """Return every question of a course by its slug; reading them takes most of a second."""
    return {question.slug: question for question in read_questions(DiskFiles(course))[0]}


def generated_questions() -> dict[str, QuestionSource]:
    """Return every question of all courses that is drawn anew, by its slug."""
    found = [one for course in COURSES for one in questions(course).values() if one.generator]
    by_slug = {question.slug: question for question in found}
    assert len(by_slug) == len(found), "two courses share a slug: give the tests both names"
    return by_slug


def step(path: str, course: Path = COURSE) -> StepSource:
    """Return the step "lesson/step" of a course."""
    (found,) = [
        step
        for lesson in lessons(course)
        for step in lesson.steps_read
        if f"{lesson.slug}/{step.slug}" == path
    ]
    return found
