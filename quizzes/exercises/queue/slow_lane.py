"""Which workers of a host run slow code: as many as there are cores, less one for quick code.

Workers sit on numbered seats. The first seat runs slow code when nothing quick waits: where one
worker is all there is, that is the one. The second seat never does, so quick code that comes finds
a worker that will be free within 0.4 s. Each further seat runs slow code as well, while there are
cores for it: a host with two cores and two workers has one of them in the slow lane, one with eight
of each has seven.
"""

import fcntl
import os
import struct
import threading
import time
from pathlib import Path

SILENT_SECONDS = 10.0  # without a heartbeat, of which there is one every 3 s
LONGEST_RUN_SECONDS = 20.0  # of one submission, with room to spare: an exercise allows 10 at most
SEATS = 64  # workers of a host; who finds none runs quick code only
QUICK_SEAT = 1
_TIME = struct.Struct("=d")


class SlowLane:
    """The seat of one worker on this host, whose locks lie in `folder`.

    The kernel frees a lock with its process. A process that is stopped and does not end keeps it,
    so a holder writes the time into its file with every heartbeat (`time.monotonic`, which all
    processes of a host share), as long as it takes submissions: one without a sandbox does not. A
    file without a time is of a holder that writes none, and is believed to live. While all seats
    below say nothing, the one above them runs slow code.
    """

    def __init__(self, folder: Path, *, cores: int | None = None) -> None:
        self._cores = cores or len(os.sched_getaffinity(0))
        self._folder = folder
        self._seat = -1
        self._asked_at = float("-inf")
        self._files: list[int] = []  # of the seats up to ours
        self._writing = threading.Lock()  # or a beat might write into a file that took the number
        self.visitors_are_next = False  # which of the two lines comes first the next time

    def is_ours(self) -> bool:
        """Say whether this worker serves slow code now; it asks before each submission."""
        self._asked_at = time.monotonic()
        self._sit_down()
        if self._seat == 0 or QUICK_SEAT < self._seat < self._cores:
            return True
        return self._seat > 0 and all(map(_is_silent, self._files[: self._seat]))

    def beat(self) -> None:
        """Say that this worker takes submissions."""
        with self._writing:
            if self._seat >= 0 and time.monotonic() - self._asked_at < LONGEST_RUN_SECONDS:
                os.pwrite(self._files[self._seat], _TIME.pack(time.monotonic()), 0)

    def close(self) -> None:
        """Leave the seat to others."""
        with self._writing:
            for file in self._files:
                os.close(file)
            self._files, self._seat = [], -1

    def _sit_down(self) -> None:
        """Take the lowest seat that is free, and leave a higher one."""
        for seat in range(self._seat if self._seat >= 0 else SEATS):
            if seat == len(self._files):
                self._files.append(self._open(seat))
            try:
                fcntl.flock(self._files[seat], fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                continue
            with self._writing:
                self._seat = seat
                for file in self._files[seat + 1 :]:
                    os.close(file)
                del self._files[seat + 1 :]
            self.beat()
            return

    def _open(self, seat: int) -> int:
        """Open the lock of a seat. The names are those of the version before, which had three."""
        self._folder.mkdir(parents=True, exist_ok=True)
        name = f"slow-lane-{seat + 1}.lock" if seat else "slow-lane.lock"
        return os.open(self._folder / name, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)


def _is_silent(file: int) -> bool:
    written = os.pread(file, _TIME.size, 0)
    if len(written) < _TIME.size:
        return False
    (said_at,) = _TIME.unpack(written)
    return bool(time.monotonic() - said_at > SILENT_SECONDS)
