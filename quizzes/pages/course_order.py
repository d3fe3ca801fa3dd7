"""The order of the course's steps, for rooms that sort their own lists by it.

The room `lessons` knows the order and fills the hook; siblings that may not import it ask here.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from quizzes.hooks import Hook


@dataclass(frozen=True)
class CoursePlace:
    """One step, named "lesson/step", and its lesson's title."""

    step: str
    lesson: str
    picture: str = ""  # the version of the lesson's small picture, "" for none

    @property
    def slug(self) -> str:
        """Return the name of its lesson."""
        return self.step.partition("/")[0]


@Hook
def places(course: int, /) -> Sequence[CoursePlace]:  # noqa: ARG001
    """Return every step in the order in which a course is read; none without lessons."""
    return ()
