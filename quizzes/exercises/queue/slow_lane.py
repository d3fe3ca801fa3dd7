"""Which worker of a host runs slow code: one, and another while that one says nothing."""

import fcntl
import os
import struct
import threading
import time
from pathlib import Path

SILENT_SECONDS = 10.0  # without a heartbeat, of which there is one every 3 s
# The first is the lane's; each other one is for who serves while the one before says nothing.
LOCKS = ("slow-lane.lock", "slow-lane-2.lock", "slow-lane-3.lock")
_TIME = struct.Struct("=d")


class SlowLane:
    """A place in the slow lane of this host, whose locks lie in `folder`.

    The kernel frees a lock with its process. A process that is stopped and does not end keeps it,
    so a holder writes the time into its file with every heartbeat (`time.monotonic`, which all
    processes of a host share). A file without a time is of a holder that writes none, and is
    believed to live.
    """

    def __init__(self, folder: Path) -> None:
        flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC
        self._files = [os.open(folder / name, flags, 0o666) for name in LOCKS]
        self._ours: set[int] = set()
        self._writing = threading.Lock()  # or a beat might write into a file that took the number

    def is_ours(self) -> bool:
        """Say whether this worker serves slow code now; it asks before each submission."""
        for file in self._files:
            if file in self._ours or self._lock(file):
                return True
            if not _is_silent(file):
                return False
        return False

    def beat(self) -> None:
        """Say that this worker lives."""
        with self._writing:
            for file in self._ours:
                os.pwrite(file, _TIME.pack(time.monotonic()), 0)

    def close(self) -> None:
        """Leave the lane to others."""
        with self._writing:
            for file in self._files:
                os.close(file)
            self._files, self._ours = [], set()

    def _lock(self, file: int) -> bool:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        with self._writing:
            self._ours.add(file)
        self.beat()
        return True


def _is_silent(file: int) -> bool:
    written = os.pread(file, _TIME.size, 0)
    if len(written) < _TIME.size:
        return False
    (said_at,) = _TIME.unpack(written)
    return bool(time.monotonic() - said_at > SILENT_SECONDS)
