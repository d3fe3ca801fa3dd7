"""The families of a course's lessons, for the lists of rooms that may not import the map.

The room `concepts` knows them and registers a function when Django starts.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Family:
    """A group of concepts and lessons: its name, and its place from 1, which gives its colour."""

    name: str
    number: int


Ask = Callable[[int], Mapping[str, Family]]  # of a course, by its key
_asked: list[Ask] = []


def register_families(ask: Ask) -> None:
    """Let `families` call this function; the last one registered counts."""
    _asked[:] = [ask]


def families(course: int) -> Mapping[str, Family]:
    """Return the family of each lesson by slug; nothing for a course without families."""
    return _asked[0](course) if _asked else {}
