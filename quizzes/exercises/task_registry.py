"""Periodic tasks of the workers, as rooms bring them that stand above the worker.

It is here because a web process, which gets every room ready, loads nothing of the worker.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta


@dataclass(frozen=True)
class Task:
    """`run` does a piece and returns whether more is to do; `name` is that of its row."""

    name: str
    every: timedelta
    run: Callable[[], bool]


_registered: dict[str, Task] = {}


def register(task: Task) -> None:
    """Let the workers run this task too. Call it when the application is ready."""
    _registered[task.name] = task


def registered() -> list[Task]:
    """Return what was registered."""
    return list(_registered.values())
