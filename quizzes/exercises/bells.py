"""Bells of workers on one machine: named pipes in a folder, one for each worker.

Whoever rings writes a byte into each and waits for nobody. A pipe is put into the folder only once
it is open for reading, so one that has no reader was left by a worker that was killed.
"""

import contextlib
import errno
import os
import select
from pathlib import Path
from uuid import uuid4

FULL = 65_536  # bytes that a pipe holds; more rings than that say nothing new


class Bell:
    """The bell of one worker; it is taken down by `close`, or by the next worker that comes."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        _take_down_left_ones(folder)
        name = uuid4().hex
        new = folder / f"{name}.new"
        os.mkfifo(new, 0o660)
        # Reading alone would wait for the first who rings, and see an end after each.
        self._descriptor = os.open(new, os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)
        self._path = new.rename(folder / f"{name}.bell")

    def wait(self, seconds: float) -> bool:
        """Wait for a ring; say whether there was one, now or since the last time."""
        rang = bool(select.select([self._descriptor], [], [], seconds)[0])
        if rang:
            with contextlib.suppress(BlockingIOError):
                os.read(self._descriptor, FULL)
        return rang

    def close(self) -> None:
        """Take it down."""
        self._path.unlink(missing_ok=True)
        os.close(self._descriptor)


def ring(folder: Path) -> None:
    """Ring every bell of a folder; raises OSError for one that may not be rung."""
    for path in folder.glob("*.bell"):
        with contextlib.suppress(BlockingIOError):  # full: it rings already
            _write(path)


def _write(path: Path) -> bool:
    """Say whether somebody listens."""
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        return False
    except OSError as error:
        if error.errno == errno.ENXIO:
            return False
        raise
    try:
        os.write(descriptor, b"!")
    finally:
        os.close(descriptor)
    return True


def _take_down_left_ones(folder: Path) -> None:
    for path in folder.glob("*.bell"):
        with contextlib.suppress(OSError):  # not ours to take down
            if not _write(path):
                path.unlink(missing_ok=True)
