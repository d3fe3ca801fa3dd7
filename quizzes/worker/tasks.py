"""A task that workers do now and then. Web processes load this module, and no other of the room."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db.models import QuerySet
from django.db.models.functions import Now

from quizzes.hooks import Hook
from quizzes.statements import TimeParam


@dataclass(frozen=True)
class Task:
    """`run` does a piece and returns whether more is to do; `name` is that of its row.

    `pause`: between two pieces, while there is more to do. `rows`: what there is to do at a time,
    in the database; while it has none, the task is run five minutes later.
    """

    name: str
    every: timedelta
    run: Callable[[], bool]
    pause: timedelta = timedelta(0)
    rows: Callable[[TimeParam | Now], QuerySet[Any]] | None = None


@Hook
def tasks_of_pages() -> Sequence[Task]:
    """Return the tasks of the room whose pages show counts for a whole course."""
    return ()
