"""A task that workers do now and then. Web processes load this module, and no other of the room."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta

from quizzes.hooks import Hook


@dataclass(frozen=True)
class Task:
    """`run` does a piece and returns whether more is to do; `name` is that of its row."""

    name: str
    every: timedelta
    run: Callable[[], bool]


@Hook
def tasks_of_pages() -> Sequence[Task]:
    """Return the tasks of the room whose pages show counts for a whole course."""
    return ()
