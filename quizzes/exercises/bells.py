"""Bells of workers on one machine: named pipes in a folder, one for each worker.

Whoever rings writes a byte into each and waits for nobody. A pipe is put into the folder only once
it is open for reading, so one that has no reader was left by a worker that was killed.
"""

import contextlib
import errno
import os
import select
import time
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

MADE_SECONDS = 60  # what is still being made then never will be
CHUNK = 1 << 16
NOBODY_LISTENS = {errno.ENXIO, errno.ENOENT}


class Bell:
    """The bell of one worker; it is taken down by `close`, or by the next worker that comes.

    It may be rung by the owner, and by the group too if `mode`, the database's, lets it write.
    """

    def __init__(self, folder: Path, *, mode: int = 0o600) -> None:
        mode = 0o600 | mode & 0o660
        folder.mkdir(parents=True, exist_ok=True)
        _take_down_left_ones(folder)
        with contextlib.suppress(PermissionError):  # the folder is of another user, who shares it
            folder.chmod(mode | (mode & 0o440) >> 2)  # who reads may look into it
        new = folder / f"{uuid4().hex}.new"
        os.mkfifo(new)
        try:
            new.chmod(mode)  # whatever the umask
            # Reading alone would wait for the first who rings, and see an end after each.
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
