"""Notify workers that a submission was stored. A lost notification costs a moment, no submission.

On PostgreSQL it is the NOTIFY of Procrastinate's trigger. On SQLite all processes are on one
machine: named pipes in a folder beside the database, one for each worker. `notify_all` writes
a byte into each and waits for nobody. A pipe is put into the folder only once it is open for
reading, so a pipe without a reader was left by a worker that was killed. Folder and pipes are
called `-bells` and `.bell`, as processes of the version before look for them.
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


def notify_after_commit() -> None:
    """Notify once the transaction is through; a broken pipe is logged and does no harm."""
    transaction.on_commit(_notify_workers, robust=True)


def _notify_workers() -> None:
    if database := database_file():
        try:
            notify_all(_folder(database))
        except OSError as error:  # that worker looks now and then
            logger.warning("a worker's named pipe cannot be written: %s", error)


def database_file() -> Path | None:
    """Return the file of an SQLite database, None for any other database."""
    session: Any = connection
    if connection.vendor != "sqlite" or session.is_in_memory_db():
        return None
    return Path(connection.settings_dict["NAME"])


def _folder(database: Path) -> Path:
    """Return the folder of the named pipes, beside the database."""
    return database.with_name(f"{database.name}-bells")


class Listener:
    """A worker's wait for notifications, on the calling thread's connection; `close` it."""

    def __init__(self) -> None:
        self._listens_on: Any = None
        self._seen = self._data_version()
        self._pipe: NotifyPipe | None = None
        try:
            if database := database_file():
                mode = database.stat().st_mode
                self._pipe = NotifyPipe(_folder(database), mode=mode)
        except OSError as error:  # such as a file system without named pipes
            logger.warning("no named pipe, so looking four times a second: %s", error)

    def close(self) -> None:
        """Listen no more."""
        if self._pipe is not None:
            self._pipe.close()

    def wait(self, seconds: float, *, until: Callable[[], bool]) -> None:
        """Return when notified, when `until()` holds, or after `seconds`, or for a look.

        On SQLite that is when a row was stored meanwhile without a notification.
        """
        deadline = time.monotonic() + seconds
        while not until() and (left := deadline - time.monotonic()) > 0:
            if self._is_notified(min(left, LOOK_SECONDS)):
                return

    def _is_notified(self, seconds: float) -> bool:
        if connection.vendor == "postgresql":
            return self._wait_for_notify(seconds)
        if self._pipe is None:
            time.sleep(seconds)
        notified = self._pipe is not None and self._pipe.wait(seconds)
        seen, self._seen = self._seen, self._data_version()
        return notified or seen != self._seen

    def _data_version(self) -> int:
        """Return a number that changes whenever another connection writes to an SQLite database."""
        if connection.vendor != "sqlite":
            return 0
        connection.ensure_connection()
        session: Any = connection.connection  # below the cursor that would time every call
        with connection.wrap_database_errors:
            return int(session.execute("PRAGMA data_version").fetchone()[0])

    def _wait_for_notify(self, seconds: float) -> bool:
        connection.ensure_connection()
        session: Any = connection.connection
        if self._listens_on is not session:
            with connection.cursor() as cursor:
                cursor.execute(f"LISTEN {CHANNEL}")
            self._listens_on = session
            return True  # what was sent before is missed
        with connection.wrap_database_errors:
            if list(session.notifies(timeout=0)):  # what came with an answer
                return True
            # The driver's own wait wakes ten times a second, to see Ctrl-C.
            poll = select.poll()
            poll.register(session.fileno(), select.POLLIN)
            return bool(poll.poll(seconds * 1000)) and bool(list(session.notifies(timeout=0)))


class NotifyPipe:
    """The named pipe of one listener; `close` removes it, or the next listener that comes.

    The owner may write to it, and the group too if `mode`, the database's, lets the group write.
    Its file begins with `topic`, by which `notify_all` can leave out the others of the folder.
    """

    def __init__(self, folder: Path, *, mode: int = 0o600, topic: str = "") -> None:
        mode = 0o600 | mode & 0o660
        folder.mkdir(parents=True, exist_ok=True)
        _remove_stale(folder)
        with contextlib.suppress(PermissionError):  # the folder is of another user, who shares it
            folder.chmod(mode | (mode & 0o440) >> 2)  # for readers of the database
        new = folder / f"{topic}{uuid4().hex}.new"
        os.mkfifo(new)
        try:
            new.chmod(mode)  # whatever the umask
            # Open for reading alone, it would wait for the first byte, and see an end after each.
            self._descriptor = os.open(new, os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)
        except BaseException:
            new.unlink()
            raise
        self._path = new.rename(new.with_suffix(".bell"))
        self._poll = select.poll()
        self._poll.register(self._descriptor, select.POLLIN)

    def wait(self, seconds: float) -> bool:
        """Wait for a notification; say whether one came, now or since the last time."""
        notified = bool(self._poll.poll(seconds * 1000))
        with contextlib.suppress(BlockingIOError):
            while notified and os.read(self._descriptor, CHUNK):
                continue
        return notified

    def close(self) -> None:
        """Remove it."""
        self._path.unlink(missing_ok=True)
        os.close(self._descriptor)


def notify_all(folder: Path, *, topic: str = "") -> None:
    """Write to every pipe of a folder and topic; raises OSError once all others are written to."""
    refused = None
    for path in folder.glob(f"{topic}*.bell"):
        try:
            with _open_for_writing(path) as descriptor:
                if descriptor is not None:
                    os.write(descriptor, b"!")
        except (BlockingIOError, BrokenPipeError):
            continue  # it is full, so it wakes its worker already; or it was just removed
        except OSError as error:
            refused = error
    if refused is not None:
        raise refused


@contextlib.contextmanager
def _open_for_writing(path: Path) -> Iterator[int | None]:
    """Give a descriptor, None where nobody listens; raises OSError if it may not be written."""
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


def _remove_stale(folder: Path) -> None:
    for path in folder.iterdir():
        with contextlib.suppress(OSError):  # gone by now, or not ours to remove
            if _is_stale(path):
                path.unlink()


def _is_stale(path: Path) -> bool:
    if path.suffix == ".new":
        return time.time() - path.stat().st_mtime > MADE_SECONDS
    if path.suffix != ".bell":
        return False
    with _open_for_writing(path) as descriptor:
        return descriptor is None
