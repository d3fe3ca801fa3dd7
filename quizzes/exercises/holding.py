"""Keeping hold of a version while it is verified, which may take a minute."""

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import DatabaseError, connection

from quizzes.exercises import publishing
from quizzes.exercises.models import ExerciseVersion

RENEW_SECONDS = 8.0

logger = logging.getLogger(__name__)


@contextmanager
def held(version: ExerciseVersion) -> Iterator[None]:
    """Renew the version's lease from a thread while the block runs."""
    done = threading.Event()

    def renew() -> None:
        while not done.wait(RENEW_SECONDS):
            try:
                publishing.renew_preparation(version=version)
            except DatabaseError:
                logger.exception("a lease could not be renewed")
        connection.close()

    thread = threading.Thread(target=renew, name="renew", daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()
