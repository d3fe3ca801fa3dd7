"""Wake the requests that wait for a verdict once it is recorded. A lost notice costs a moment.

Each submission has a channel of its own, so a notice wakes nobody who waits for another. On SQLite
it is a named pipe of the request, in a folder beside the database, as workers have them (`notify`);
on PostgreSQL a LISTEN on the request's own connection. Its name has the submission's key. A form
with the key of somebody else's is woken too early, and reads no other row than its own.
"""

import logging
import time
from contextlib import closing
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from uuid import UUID

from django.db import DatabaseError, connection, transaction

from quizzes.exercises.queue.notify import NotifyPipe, database_file, notify_all

logger = logging.getLogger(__name__)


def notify_of_verdict(key: UUID) -> None:
    """Wake those who wait for this submission once the transaction is through."""
    if connection.vendor == "postgresql":  # which sends it when it commits
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_notify(%s, '')", [_channel(key)])
    elif database := database_file():
        transaction.on_commit(lambda: _write(_folder(database), key), robust=True)


def _write(folder: Path, key: UUID) -> None:
    try:
        notify_all(folder, topic=_channel(key))
    except OSError as error:  # the request looks now and then
        logger.warning("a request's named pipe cannot be written: %s", error)


def _channel(key: UUID) -> str:
    return f"verdict_{key.hex}"


def _folder(database: Path) -> Path:
    """Return the folder of the named pipes of requests, beside the database."""
    return database.with_name(f"{database.name}-verdicts")


class VerdictListener:
    """A request's wait for one verdict, on the calling thread's connection; a context manager.

    A verdict that was recorded before it was entered sends no further notice.
    """

    def __init__(self, key: UUID) -> None:
        self._channel = _channel(key)
        self._pipe: NotifyPipe | None = None
        self._listens = False

    def __enter__(self) -> Self:
        if connection.vendor == "postgresql":
            self._listens = self._try(f"LISTEN {self._channel}")
        elif database := database_file():
            try:
                mode = database.stat().st_mode
                self._pipe = NotifyPipe(_folder(database), mode=mode, topic=self._channel)
            except OSError as error:  # such as a file system without named pipes
                logger.warning("no named pipe, so looking now and then: %s", error)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._pipe is not None:
            self._pipe.close()
        elif self._listens and error is None:
            # Everything: behind a pooler this may be another server session than the one above,
            # with what others left there.
            self._try("UNLISTEN *")

    def wait(self, seconds: float) -> bool:
        """Wait for the notice; say whether it came, now or since the listener was entered."""
        if self._listens:
            return self._wait_for_notify(seconds)
        if self._pipe is not None:
            return self._pipe.wait(seconds)
        time.sleep(seconds)
        return False

    def _wait_for_notify(self, seconds: float) -> bool:
        """Wait for our channel: the last request on this connection may have left its notice."""
        session: Any = connection.connection
        with connection.wrap_database_errors, closing(session.notifies(timeout=seconds)) as notices:
            return any(notice.channel == self._channel for notice in notices)

    def _try(self, sql: str) -> bool:
        """Run it; say whether the database did: the submission is stored, whatever it says here.

        In a transaction, which a refusal ends, it raises.
        """
        try:
            with connection.cursor() as cursor:
                cursor.execute(sql)
        except DatabaseError as error:
            if connection.in_atomic_block:
                raise
            logger.warning("no notices of verdicts, so looking now and then: %s", error)
            return False
        return True
