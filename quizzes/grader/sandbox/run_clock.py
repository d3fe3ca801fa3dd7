"""The clock that a run's limit is kept on: wall time without what the machine took away.

On a busy machine code that needs half a second of a processor may take half a minute, and no factor
of wall time tells it from an endless loop. But the kernel counts how long it lets a process wait
for a processor: the second number of `/proc/<pid>/schedstat`. That is not the code's doing and does
not count; computing counts, and so does sleeping, or code that sleeps would hold a worker for ever.

What is read there could be stretched by the code, whose gain would be the worker's time, so:

- Only the first thread is looked at. The system-call filter lets no child start another thread or
  process; should one ever come about, its waiting gains nothing, and RLIMIT_CPU counts all threads.
- The first moments of every wait count: with them a program of a million short sleeps would be
  given what waking up costs.
- So does what this side computed meanwhile. On the processor that both share, a child that sends
  bytes one by one waits while we read them.
- A child that waits for this side sleeps, and on a busy machine this side waits for a processor
  before it answers. That does not count either, but for as long as the child computed meanwhile:
  else it could have us wait for the processor that it holds, and sleep as long for nothing.
- What is left is time in which others computed. Somebody else's programs can stretch a run, up to
  `HARD_END_SECONDS`; code that is submitted has none to do it with.

A wait is counted by the kernel when it is over, and a process that waits looks like one that
computes. So a child that is not asleep is looked at twice: once it has run since the first look,
every wait that began before that look is known, and what it had run by then decides. Where the
kernel does not tell (no `/proc`, one that hides other users' processes, a kernel without
schedstat), all wall time counts.

The process is named by its pidfd: the files are open before the pidfd says, once more, that the
process is there, so its number cannot have become somebody else's.
"""

from __future__ import annotations

import contextlib
import os
import time
from dataclasses import dataclass

HARD_END_SECONDS = 60.0  # of wall time: then the machine is too busy to grade
LOOK_AGAIN_SECONDS = 0.02  # in which the kernel takes down that a process computes
WAKING_SECONDS = 50e-6  # of each wait, which a sleep costs on an idle machine too


@dataclass(frozen=True)
class _Books:
    """What the kernel has counted of a thread: seconds on a processor and without, and turns."""

    ran: float
    waited: float
    turns: int


class RunClock:
    """How long a child has run, from `start` on; close it."""

    def __init__(self, pidfd: int) -> None:
        """Time the process behind the pidfd, for as long as it is there; for one thread's use."""
        self._files = _open_files(pidfd)
        self._own_file = _open_own()
        self.start()

    def start(self) -> None:
        """Begin again: what was until now does not count."""
        self._started, self._own = time.perf_counter(), time.thread_time()
        self._first = self._last = _read(self._files)
        self._own_first = _read(self._own_file)
        self._looked: tuple[float, _Books] | None = None

    def close(self) -> None:
        """Close the files; safe to call twice."""
        for descriptor in self._files + self._own_file:
            os.close(descriptor)
        self._files = self._own_file = ()

    def seconds(self) -> float:
        """Return the seconds it ran; of a process now gone, with what it waited since a look."""
        return self._seconds_at(time.perf_counter())

    def waited(self) -> float:
        """Return the seconds in between that do not count."""
        self.look()
        if self._first is None or self._last is None:
            return 0.0
        ran = self._last.ran - self._first.ran
        ours = time.thread_time() - self._own
        # A wait that began before the start is counted whole, by the kernel, when it is over.
        not_run = time.perf_counter() - self._started - ran
        slept = not_run - (self._last.waited - self._first.waited)
        held_up = max(0.0, min(slept, self._own_waits() - ran))
        return max(0.0, min(_waits(self._first, self._last) - ours + held_up, not_run))

    def _own_waits(self) -> float:
        """Return the seconds for which this thread waited for a processor."""
        now = _read(self._own_file)
        if now is None or self._own_first is None:
            return 0.0
        return _waits(self._own_first, now)

    def look(self) -> None:
        """Take down what the kernel has counted; what it last said stands once it is gone."""
        self._last = _read(self._files) or self._last

    def left(self, limit: float) -> float:
        """Return after how many seconds to look whether it has run for `limit`; 0.0 if it has."""
        now = time.perf_counter()
        left = limit - self._seconds_at(now)
        if left > 0 or self._last is None or not self._is_runnable():
            self._looked = None
            return max(0.0, left)
        earlier, self._looked = self._looked, (now, self._last)
        if earlier is not None and earlier[1] != self._last:
            return 0.0 if self._seconds_at(earlier[0]) >= limit else LOOK_AGAIN_SECONDS
        return LOOK_AGAIN_SECONDS

    def _seconds_at(self, moment: float) -> float:
        """Return at least what it had run by then: what it has waited until now is taken off."""
        return moment - self._started - self.waited()

    def _is_runnable(self) -> bool:
        """Say whether it computes or waits for a processor, and does not sleep."""
        with contextlib.suppress(OSError, IndexError):
            _, _, after_its_name = os.pread(self._files[1], 1000, 0).rpartition(b") ")
            return after_its_name.startswith(b"R")
        return False


def _read(files: tuple[int, ...]) -> _Books | None:
    """Read the kernel's books; None where it does not tell, or not any more."""
    with contextlib.suppress(OSError, IndexError, ValueError):
        ran, waited, turns = os.pread(files[0], 200, 0).split()
        if int(turns):  # a kernel that does not count says 0 0 0
            return _Books(int(ran) / 1e9, int(waited) / 1e9, int(turns))
    return None


def _waits(first: _Books, last: _Books) -> float:
    """Return the seconds waited in between, but for the first moments of every wait."""
    return last.waited - first.waited - (last.turns - first.turns) * WAKING_SECONDS


def _open_own() -> tuple[int, ...]:
    """Open `schedstat` of this thread; none where it cannot be had."""
    with contextlib.suppress(OSError):
        return (os.open("/proc/thread-self/schedstat", os.O_RDONLY | os.O_CLOEXEC),)
    return ()


def _open_files(pidfd: int) -> tuple[int, ...]:
    """Open `schedstat` and `stat` of the process; none where they cannot be had."""
    with contextlib.ExitStack() as opened, contextlib.suppress(OSError):
        number = _number_of(pidfd)
        files = []
        for name in ("schedstat", "stat"):
            descriptor = os.open(f"/proc/{number}/{name}", os.O_RDONLY | os.O_CLOEXEC)
            opened.callback(os.close, descriptor)
            files.append(descriptor)
        if number > 0 and _number_of(pidfd) == number:
            opened.pop_all()
            return tuple(files)
    return ()


def _number_of(pidfd: int) -> int:
    """Return the process's number in `/proc`; 0 or less when it is gone or not to be seen there."""
    with open(f"/proc/self/fdinfo/{pidfd}", "rb") as file:
        words = [line.split() for line in file]
    return next((int(value) for name, value in filter(_is_pair, words) if name == b"Pid:"), 0)


def _is_pair(words: list[bytes]) -> bool:
    return len(words) == 2
