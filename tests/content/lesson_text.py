"""The shipped course as the tests of its content see it."""

from functools import cache
from pathlib import Path

from quizzes.assessment.question_files import read_questions
from quizzes.assessment.sources import QuestionSource
from quizzes.lessons.lesson_files import LessonSource, StepSource, read_lessons
from quizzes.lessons.listing_block import Listing, listing_of

COURSE = Path(__file__).resolve().parents[2] / "quizzes" / "content" / "positional-encodings"


@cache
def lessons() -> tuple[LessonSource, ...]:
    """Return every lesson of the course, in its order."""
    return tuple(read_lessons(COURSE)[0])


@cache
def questions() -> dict[str, QuestionSource]:
    """Return every question of the course by its slug; reading them takes most of a second."""
    return {question.slug: question for question in read_questions(COURSE)[0]}


def step(path: str) -> StepSource:
    """Return the step "lesson/step"."""
    (found,) = [
        step
        for lesson in lessons()
        for step in lesson.steps_read
        if f"{lesson.slug}/{step.slug}" == path
    ]
    return found


def listings() -> list[tuple[str, Listing]]:
    """Return every listing of the course with its place."""
    return [
        (f"{step.path}:{block.line}", listing_of(block))
        for lesson in lessons()
        for step in lesson.steps_read
        for block in step.page.blocks
        if block.kind == "listing"
    ]
