"""How long may be computed on what a learner's program sent: any of it may be made to take long."""

from __future__ import annotations

from time import thread_time

SECONDS = 0.5


class TimeIsUpError(Exception):
    """More was to compute than a learner's program is worth."""


class Clock:
    """So many seconds of this thread's processor."""

    def __init__(self, seconds: float = SECONDS) -> None:
        self._end = thread_time() + seconds

    def check(self) -> None:
        """Raise TimeIsUpError once the seconds are over."""
        if thread_time() > self._end:
            raise TimeIsUpError
