"""Counts over all answers of a course: made at each view, and cached where that is slow.

Counting grows with every answer that was ever given (docs/scaling.md has seconds). A course of any
usual size is counted at each view, and shows what happened a moment ago. Where that took longer
than a fifth of a second, the result is stored in the site's cache, for every process of every host,
and the page says when it was counted. From then on no view counts: a periodic task of the workers
(`refresh_one`) repeats the counts that somebody looked at within the last day, each every ten
minutes, or less often where the counting itself would keep the database busy. If no worker runs,
the counts grow older.

The first view of a large course has to count; others that ask the same process meanwhile wait for
its result instead of counting too.
"""

import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import blake2b
from typing import Any

from django.core.cache import cache
from django.utils import timezone

SLOW_SECONDS = 0.2
EVERY_SECONDS = 600.0
SHARE = 0.02  # of the time, at most, one count keeps the database busy
CACHE_SECONDS = 2 * 24 * 3600
LOOKED_AT_SECONDS = 24 * 3600
LOCKS = 64  # counts of other names may share one

Counts = Iterable[tuple[str, Callable[[], Any]]]
_locks = [threading.Lock() for _ in range(LOCKS)]


@dataclass(frozen=True)
class Count:
    """The result of a count, when it was made, and how long it took."""

    value: Any
    at: datetime
    seconds: float

    @property
    def is_due(self) -> bool:
        """Return whether to count again, as when a clock was put back since."""
        rest = timedelta(seconds=max(EVERY_SECONDS, self.seconds / SHARE))
        return abs(timezone.now() - self.at) > rest


def cached_count(name: str, count: Callable[[], Any]) -> tuple[Any, datetime | None]:
    """Return the result of `count()`, and when it was counted where that is not now.

    `name` says of what, with everything on which the result depends.
    """
    stored = _stored(name)
    if stored is None:
        lock = _locks[int(_digest(name), 16) % LOCKS]
        waited = not lock.acquire(blocking=False)
        if waited:
            lock.acquire()
        try:
            stored = _stored(name) if waited else None
            if stored is None:
                return _count(name, count), None
        finally:
            lock.release()
    return stored.value, stored.at


def refresh_one(counts: Counts) -> bool:
    """Repeat one count that is due and that somebody looked at lately; say whether more may be."""
    every = list(counts)
    values = cache.get_many([_key(name) for name, _ in every])
    for name, count in every:
        stored: Count | None = values.get(_key(name))
        if stored is not None and stored.is_due and cache.get(_looked_at(name)):
            _count(name, count)
            return True
    return False


def _stored(name: str, *, looking: bool = True) -> Count | None:
    keys = [_key(name), _looked_at(name)]
    values = cache.get_many(keys if looking else keys[:1])
    stored: Count | None = values.get(_key(name))
    if looking and stored is not None and _looked_at(name) not in values:
        cache.set(_looked_at(name), True, LOOKED_AT_SECONDS)
    return stored


def _count(name: str, count: Callable[[], Any]) -> Any:
    began = time.monotonic()
    value = count()
    took = time.monotonic() - began
    if took > SLOW_SECONDS:
        cache.set(_key(name), Count(value, timezone.now(), took), CACHE_SECONDS)
    elif _stored(name, looking=False) is not None:  # it has become fast: count at each view
        cache.delete(_key(name))
    return value


def _digest(name: str) -> str:
    return blake2b(name.encode(), digest_size=16).hexdigest()  # a name may hold anything


def _key(name: str) -> str:
    return f"count-{_digest(name)}"


def _looked_at(name: str) -> str:
    return f"count-looked-at-{_digest(name)}"
