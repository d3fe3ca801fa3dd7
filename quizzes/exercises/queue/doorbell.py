"""Wakes workers when a submission was stored. A lost ring costs a moment, never a submission.

On PostgreSQL it is the NOTIFY of Procrastinate's trigger. On SQLite all processes are on one
machine: named pipes in a folder beside the database, one for each worker. Ringing writes a byte
into each and waits for nobody. A pipe is put into the folder only once it is open for reading, so a
pipe without a reader was left by a worker that was killed.
"""

import contextlib
import errno
import logging
import os
import select
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

from django.db import connection, transaction

CHANNEL = "procrastinate_any_queue_v1"  # Procrastinate notifies with each job that is stored
MADE_SECONDS = 60  # a pipe that is still being made then was given up
CHUNK = 1 << 16
NOBODY_LISTENS = {errno.ENXIO, errno.ENOENT}
LOOK_SECONDS = 0.25  # a notification may be lost, and rows written by hand send none

logger = logging.getLogger(__name__)


def ring_after_commit() -> None:
    """Ring once the transaction is through; a broken bell is logged and does no harm."""
    transaction.on_commit(_wake_workers, robust=True)


def _wake_workers() -> None:
    if database := _database_file():
        try:
            ring(_folder(database))
        except OSError as error:  # that worker looks now and then
            logger.warning("a worker's bell cannot be rung: %s", error)


def _database_file() -> Path | None:
    """Return the file of an SQLite database, None for any other database."""
    session: Any = connection
    if connection.vendor != "sqlite" or session.is_in_memory_db():
        return None
    return Path(connection.settings_dict["NAME"])


def _folder(database: Path) -> Path:
    """Return the folder of the named pipes, beside the database."""
    return database.with_name(f"{database.name}-bells")


class Doorbell:
    """One worker's ear at the door, on the calling thread's connection; `close` it in the end."""

    def __init__(self) -> None:
        self._listening: Any = None
        self._seen = self._data_version()
        self._bell: Bell | None = None
        try:
            if database := _database_file():
                mode = database.stat().st_mode
                self._bell = Bell(_folder(database), mode=mode)
        except OSError as error:  # such as a file system without named pipes
            logger.warning("no named pipe, so looking four times a second: %s", error)

    def close(self) -> None:
        """Listen no more."""
        if self._bell is not None:
            self._bell.close()

    def wait(self, seconds: float, *, until: Callable[[], bool]) -> None:
        """Return when it rang, `until()` holds or `seconds` are over; or when it is time to look.

        On SQLite that is when a row was stored meanwhile without a ring.
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
            return True  # rings before we listened were missed
        with connection.wrap_database_errors:
            next(session.notifies(timeout=seconds, stop_after=1), None)
        return True


class Bell:
    """The bell of one worker; it is taken down by `close`, or by the next worker that comes.

    The owner may ring it, and the group too if `mode`, the database's, lets the group write.
    """

    def __init__(self, folder: Path, *, mode: int = 0o600) -> None:
        mode = 0o600 | mode & 0o660
        folder.mkdir(parents=True, exist_ok=True)
        _take_down_left_ones(folder)
        with contextlib.suppress(PermissionError):  # the folder is of another user, who shares it
            folder.chmod(mode | (mode & 0o440) >> 2)  # for readers of the database
        new = folder / f"{uuid4().hex}.new"
        os.mkfifo(new)
        try:
            new.chmod(mode)  # whatever the umask
            # Open for reading alone, it would wait for the first ring, and see an end after each.
            self._descriptor = os.open(new, os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)
        except BaseException:
            new.unlink()
            raise
        self._path = new.rename(new.with_suffix(".bell"))
        self._poll = select.poll()
        self._poll.register(self._descriptor, select.POLLIN)

    def wait(self, seconds: float) -> bool:
        """Wait for a ring; say whether there was one, now or since the last time."""
        rang = bool(self._poll.poll(seconds * 1000))
        with contextlib.suppress(BlockingIOError):
            while rang and os.read(self._descriptor, CHUNK):
                continue
        return rang

    def close(self) -> None:
        """Take it down."""
        self._path.unlink(missing_ok=True)
        os.close(self._descriptor)


def ring(folder: Path) -> None:
    """Ring every bell of a folder; raises OSError, when all are rung that may be."""
    refused = None
    for path in folder.glob("*.bell"):
        try:
            with _listened_to(path) as descriptor:
                if descriptor is not None:
                    os.write(descriptor, b"!")
        except (BlockingIOError, BrokenPipeError):
            continue  # it is full, so it rings already; or it was taken down just now
        except OSError as error:
            refused = error
    if refused is not None:
        raise refused


@contextlib.contextmanager
def _listened_to(path: Path) -> Iterator[int | None]:
    """Give a bell's other end, None where nobody listens; raises OSError if it may not be rung."""
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        if error.errno not in NOBODY_LISTENS:
            raise
        yield None
        return
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _take_down_left_ones(folder: Path) -> None:
    for path in folder.iterdir():
        with contextlib.suppress(OSError):  # gone by now, or not ours to take down
            if _is_left(path):
                path.unlink()


def _is_left(path: Path) -> bool:
    if path.suffix == ".new":
        return time.time() - path.stat().st_mtime > MADE_SECONDS
    if path.suffix != ".bell":
        return False
    with _listened_to(path) as descriptor:
        return descriptor is None
