"""Which workers of a host run slow code: as many as there are cores, less one for quick code.

Workers have numbered seats; a host is all that share one folder of locks. The first of those that
take submissions runs slow code when nothing quick waits: where one worker is all there is, that is
the one. The second never does, so quick code that comes finds a worker that will be free within
0.4 s. Each further one runs slow code as well, while there are cores for it: a host with two cores
and two workers has one of them in the slow lane, one with eight of each has seven.
"""

import contextlib
import fcntl
import logging
import os
import struct
import threading
import time
from pathlib import Path

from quizzes.exercises.queue.usable_cores import usable_cores

SILENT_SECONDS = 10.0  # without a heartbeat, of which there is one every 3 s
# Of one submission: the sandbox's HARD_END_SECONDS, with room to spare. Not read there, since web
# processes do not load the sandbox; a test compares.
LONGEST_RUN_SECONDS = 70.0
SEATS = 64  # workers of a host; a worker that finds none runs quick code only
QUICK_RANK = 1
_TIME = struct.Struct("=d")

logger = logging.getLogger(__name__)


class SlowLane:
    """The seat of one worker on this host, whose locks lie in `folder`.

    The kernel frees a lock with its process. A process that is stopped and does not end keeps it,
    so a holder writes the time into its file with every heartbeat (`time.monotonic`, which all
    processes of a host share), as long as it takes submissions: one without a sandbox does not. A
    file without a time is of a holder that writes none, and is believed to live. Seats whose
    holders say nothing do not count, so others take the places of these, the quick one's too.

    The owner may write to a lock, and the group too if it may write to `like`, the folder or the
    database. A worker that cannot have a lock, such as in another user's folder, runs slow code: if
    all left it to others, nobody would.
    """

    def __init__(self, folder: Path, *, like: Path | None = None, cores: int | None = None) -> None:
        self._cores = usable_cores() if cores is None else cores
        self._folder = folder
        self._like = like or folder
        self._seat = -1
        self._asked_at = float("-inf")
        self._files: list[int] = []  # of the seats up to ours
        self._is_refusal_logged = False
        self._writing = threading.Lock()  # or a beat might write into a file that took the number
        self.visitors_are_next = False  # which of the two lines comes first the next time

    def is_ours(self) -> bool:
        """Say whether this worker serves slow code now; it asks before each submission."""
        self._asked_at = time.monotonic()
        try:
            self._acquire_seat()
            below = self._files[: max(self._seat, 0)]
            rank = len(below) - sum(map(_is_silent, below))
        except OSError as error:
            self.close()
            if not self._is_refusal_logged:
                self._is_refusal_logged = True
                logger.warning("no lock in %s, so slow code is served too: %s", self._folder, error)
            return True
        return self._seat >= 0 and (rank == 0 or QUICK_RANK < rank < self._cores)

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

    def _acquire_seat(self) -> None:
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
        mode = 0o600 | self._like.stat().st_mode & 0o060
        file = os.open(self._folder / name, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, mode)
        with contextlib.suppress(PermissionError):  # it is another user's, who shares it
            os.fchmod(file, mode)  # whatever the umask
        return file


def _is_silent(file: int) -> bool:
    written = os.pread(file, _TIME.size, 0)
    if len(written) < _TIME.size:
        return False
    (said_at,) = _TIME.unpack(written)
    return bool(time.monotonic() - said_at > SILENT_SECONDS)
