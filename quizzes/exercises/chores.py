"""What other rooms have workers prepare, beside the exercises."""

import logging
import time
from collections.abc import Callable

from django.db import DatabaseError, connection

from quizzes.grader.errors import SandboxBroken, SandboxUnavailable

AFTER_FAILURE_SECONDS = 20.0

logger = logging.getLogger(__name__)

Chore = Callable[[], bool]
_chores: list[Chore] = []


def add_chore(chore: Chore) -> None:
    """Have workers do this at every look: one small piece of work, and whether there was any.

    For rooms that prepare things with authors' code as well; they must not import this one.
    """
    if chore not in _chores:
        _chores.append(chore)


class Round:
    """Does every chore once. What fails on its own side is left out, exercises must not wait."""

    def __init__(self) -> None:
        self._rests_until = 0.0

    def __call__(self) -> bool:
        """Say whether there was anything to do."""
        if time.monotonic() < self._rests_until:
            return False
        worked = False
        for chore in list(_chores):
            try:
                worked = chore() or worked
            except (SandboxUnavailable, SandboxBroken, DatabaseError) as error:
                logger.warning("%s is tried again later: %s", chore, error)
                if isinstance(error, DatabaseError):
                    connection.close()
                self._rests_until = time.monotonic() + AFTER_FAILURE_SECONDS
            except Exception:
                logger.exception("%s failed and is not tried again", chore)
                _chores.remove(chore)
        return worked
