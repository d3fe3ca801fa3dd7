"""Wakes workers when a submission was stored. A lost ring costs a moment, never a submission.

On PostgreSQL it is NOTIFY. On SQLite everybody is on one machine: named pipes beside the database.
"""

import logging
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.db import connection, transaction

from quizzes.exercises import bells

CHANNEL = "ordinal_submissions"
LOOK_SECONDS = 0.25  # a ring may be missed, and who writes a row by hand does not ring

logger = logging.getLogger(__name__)


def ring_after_commit() -> None:
    """Ring once the transaction is through; a broken bell is logged and does no harm."""
    transaction.on_commit(_ring, robust=True)


def _ring() -> None:
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_notify(%s, '')", [CHANNEL])
    elif database := _database_file():
        try:
            bells.ring(_folder(database))
        except OSError as error:  # that worker looks now and then
            logger.warning("a worker's bell cannot be rung: %s", error)


def _database_file() -> Path | None:
    """Return the SQLite database, if it is one and a file."""
    session: Any = connection
    if connection.vendor != "sqlite" or session.is_in_memory_db():
        return None
    return Path(connection.settings_dict["NAME"])


def _folder(database: Path) -> Path:
    """Return where the bells hang: beside the database."""
    return database.with_name(f"{database.name}-bells")


class Doorbell:
    """One worker's ear at the door, on the calling thread's connection; `close` it in the end."""

    def __init__(self) -> None:
        self._listening: Any = None
        self._seen = self._data_version()
        self._bell: bells.Bell | None = None
        try:
            if database := _database_file():
                mode = database.stat().st_mode
                self._bell = bells.Bell(_folder(database), mode=mode)
        except OSError as error:  # such as a file system without named pipes
            logger.warning("no bell, so looking four times a second: %s", error)

    def close(self) -> None:
        """Listen no more."""
        if self._bell is not None:
            self._bell.close()

    def wait(self, seconds: float, *, until: Callable[[], bool]) -> None:
        """Return when it rang, `until()` holds or `seconds` are over; or when it is time to look.

        On SQLite that is when something was stored meanwhile, by whoever does not ring.
        """
        deadline = time.monotonic() + seconds
        while not until() and (left := deadline - time.monotonic()) > 0:
            if self._rang(min(left, LOOK_SECONDS)):
                return

    def _rang(self, seconds: float) -> bool:
        if connection.vendor == "postgresql":
            return self._notified(seconds)
        if self._bell is None:
            time.sleep(seconds)
        rang = self._bell is not None and self._bell.wait(seconds)
        seen, self._seen = self._seen, self._data_version()
        return rang or seen != self._seen

    def _data_version(self) -> int:
        """Return what changes whenever another connection wrote to an SQLite database."""
        if connection.vendor != "sqlite":
            return 0
        connection.ensure_connection()
        session: Any = connection.connection  # below the cursor that would time every call
        with connection.wrap_database_errors:
            return int(session.execute("PRAGMA data_version").fetchone()[0])

    def _notified(self, seconds: float) -> bool:
        connection.ensure_connection()
        session: Any = connection.connection
        if self._listening is not session:
            with connection.cursor() as cursor:
                cursor.execute(f"LISTEN {CHANNEL}")
            self._listening = session
            return True  # what rang before we listened was missed
        with connection.wrap_database_errors:
            next(session.notifies(timeout=seconds, stop_after=1), None)
        return True
