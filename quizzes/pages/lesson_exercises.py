"""The exercise that belongs to a lesson, for rooms whose pages lead to it.

The room `exercises` registers a function for it when Django starts; siblings that may not import
`exercises` ask here.
"""

from collections.abc import Callable

Ask = Callable[[int, str], str]  # of a course, by its key, and a lesson, by its slug
_asked: list[Ask] = []


def register_lesson_exercise(ask: Ask) -> None:
    """Let `exercise_address_of` call this function; the last one registered counts."""
    _asked[:] = [ask]


def exercise_address_of(course: int, lesson: str) -> str:
    """Return the address of a lesson's first exercise, "" where it has none."""
    return _asked[0](course, lesson) if _asked and lesson else ""
