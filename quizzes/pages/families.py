"""The families of a course's lessons, for the lists of rooms that may not import the map.

The room `concepts` knows them and fills the hook.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from quizzes.hooks import Hook


@dataclass(frozen=True)
class Family:
    """A group of concepts and lessons: its name, and its place from 1, which gives its colour."""

    name: str
    number: int


@Hook
def families(course: int, /) -> Mapping[str, Family]:  # noqa: ARG001
    """Return the family of each lesson of a course by slug; nothing for one without families."""
    return {}
