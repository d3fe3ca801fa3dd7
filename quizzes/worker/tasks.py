"""A task that workers do now and then. Web processes load this module, and no other of the room."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta

from quizzes.hooks import Hook


@dataclass(frozen=True)
class Task:
    """`run` does a piece and returns whether more is to do; `name` is that of its row.

    `pause`: between two pieces, while there is more to do.
    """

    name: str
    every: timedelta
    run: Callable[[], bool]
    pause: timedelta = timedelta(0)


@Hook
def tasks_of_pages() -> Sequence[Task]:
    """Return the tasks of the room whose pages show counts for a whole course."""
    return ()
