"""The shipped course as the tests of its content see it."""

from functools import cache
from pathlib import Path

from quizzes.lessons.files import read_lessons
from quizzes.lessons.listing_block import Listing, listing_of
from quizzes.lessons.sources import LessonSource, StepSource

COURSE = Path(__file__).resolve().parents[2] / "quizzes" / "content" / "positional-encodings"


@cache
def lessons() -> tuple[LessonSource, ...]:
    """Return every lesson of the course, in its order."""
    return tuple(read_lessons(COURSE)[0])


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
