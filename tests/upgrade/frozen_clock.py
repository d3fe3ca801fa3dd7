"""A clock that stands still, for pages that say how long ago something was and what is due.

All of the site asks `timezone.now()`, as an attribute of the module, so one patch reaches all.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from unittest.mock import patch

from django.utils import timezone

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)  # when the pages of the old database were read


class Clock:
    """The time as a program sets it."""

    def __init__(self, at: datetime) -> None:
        self.at = at

    def __call__(self) -> datetime:
        return self.at

    def go_on(self, **parts: float) -> None:
        self.at += timedelta(**parts)


@contextmanager
def frozen_clock(at: datetime = NOW) -> Iterator[Clock]:
    """Have `timezone.now()` say one time while the block runs."""
    clock = Clock(at)
    with patch.object(timezone, "now", clock):
        yield clock
