"""The order of the course's steps, for rooms that list their own things by it.

The lessons' room knows the order and says how to ask for it when Django starts; siblings that may
not import it ask here.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Place:
    """One step, named "lesson/step", and the title of its lesson."""

    step: str
    lesson: str


Ask = Callable[[], Sequence[Place]]
_asked: list[Ask] = []


def register_course_order(ask: Ask) -> None:
    """Have `places` ask this; the last one registered counts."""
    _asked[:] = [ask]


def places() -> Sequence[Place]:
    """Return every step in the order in which the course is read; none without lessons."""
    return _asked[0]() if _asked else ()
