"""The order of the course's steps, for rooms that sort their own lists by it.

The room `lessons` knows the order and registers a function for it when Django starts; siblings that
may not import `lessons` ask here.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass


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


Ask = Callable[[int], Sequence[CoursePlace]]  # of a course, by its key
_asked: list[Ask] = []


def register_course_order(ask: Ask) -> None:
    """Let `places` call this function; the last one registered counts."""
    _asked[:] = [ask]


def places(course: int) -> Sequence[CoursePlace]:
    """Return every step in the order in which a course is read; none without lessons."""
    return _asked[0](course) if _asked else ()
