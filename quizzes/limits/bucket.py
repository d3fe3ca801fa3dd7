"""A bucket that fills by itself, of which a row keeps one number: when it will be full again.

Using something moves that time on by what it costs. One statement looks and moves, so no two web
processes, of one machine or of many, can both take the last of it. A time further ahead than any
use can move it was written by another clock, and its bucket counts as full: a clock that was put
back refuses nobody for much longer than an emptied bucket does.

Keys are hashes under the site's secret: the table tells no address.
"""

import hashlib
import time
from collections.abc import Sequence
from dataclasses import dataclass

from django.conf import settings
from django.db import connection

from quizzes.limits.models import Budget

CLOCKS_APART = 60.0  # seconds by which the clocks of two hosts may differ

_USE = """
INSERT INTO {table} (key, full_at) VALUES (%(key)s, %(now)s + %(seconds)s)
ON CONFLICT (key) DO UPDATE SET full_at = CASE
    WHEN {table}.full_at <= %(now)s OR {table}.full_at > %(strange)s THEN %(now)s + %(seconds)s
    WHEN {table}.full_at > %(last)s - %(seconds)s THEN %(last)s
    ELSE {table}.full_at + %(seconds)s END
WHERE {table}.full_at <= %(most)s OR {table}.full_at > %(strange)s
RETURNING full_at
"""
# On PostgreSQL nobody waits until a bucket is on the disk (docs/benchmarks.md): a database that
# crashes forgets what was used in the last second. The setting ends with the transaction, so it is
# set only where this statement is all of one: what a view stores waits for the disk.
_WITHOUT_DISK = ", set_config('synchronous_commit', 'off', true)"
_READ = "SELECT key, full_at FROM {table} WHERE key IN ({keys})"


@dataclass(frozen=True)
class Bucket:
    """`per_second` in the long run and `at_once`, for each source.

    What is charged afterwards may take `overdraft` more than there was.
    """

    name: str
    per_second: float
    at_once: float
    overdraft: float = 0.0

    @property
    def longest_seconds(self) -> float:
        """The time that the emptiest bucket takes to be full."""
        return (self.at_once + self.overdraft) / self.per_second

    def key(self, source: str) -> int:
        """Return the number of this source's row."""
        secret = settings.SECRET_KEY.encode()[:64]
        digest = hashlib.blake2b(f"{self.name}\n{source}".encode(), key=secret, digest_size=8)
        return int.from_bytes(digest.digest(), "big", signed=True)

    def room(self, cost: float, leave: float) -> float:
        """Return how many seconds before it is full again the bucket has `cost`, and `leave` of it.

        Negative where it never has.
        """
        return (self.at_once * (1 - leave) - cost) / self.per_second

    def missing_seconds(
        self, full_at: float, cost: float, now: float, *, leave: float = 0
    ) -> float:
        """Return 0, or the seconds until `cost` is there and `leave`, a part of all, remains.

        What is never there has the time in which the bucket fills.
        """
        if full_at > now + self.longest_seconds + CLOCKS_APART:
            full_at = now
        room = self.room(cost, leave)
        return max(0.0, full_at - now - room) if room >= 0 else self.longest_seconds

    def wait(self, source: str, cost: float = 1, *, leave: float = 0) -> float:
        """Return the seconds that are missing for this source, and take nothing. One query."""
        return waits([(self, source, leave)], cost)[0]

    def take(self, source: str, cost: float = 1, *, leave: float = 0) -> float:
        """Take `cost` if it is there: return 0, or the seconds until it may be."""
        room = self.room(cost, leave)
        if room >= 0 and self._use(source, cost / self.per_second, room):
            return 0.0
        return self.wait(source, cost, leave=leave) or 0.1  # given back just now

    def charge(self, source: str, cost: float) -> None:
        """Take what was used already, as far as the bucket may be overdrawn."""
        seconds = min(cost / self.per_second, self.longest_seconds)
        self._use(source, seconds, self.longest_seconds + CLOCKS_APART)

    def _use(self, source: str, seconds: float, most: float) -> bool:
        now = time.time()
        values = {"key": self.key(source), "seconds": seconds, "now": now, "most": now + most}
        values["last"] = now + self.longest_seconds
        values["strange"] = values["last"] + CLOCKS_APART
        use = _USE
        if connection.vendor == "postgresql" and not connection.in_atomic_block:
            use += _WITHOUT_DISK
        with connection.cursor() as cursor:
            cursor.execute(use.format(table=Budget._meta.db_table), values)
            return cursor.fetchone() is not None


def waits(parts: Sequence[tuple[Bucket, str, float]], cost: float) -> list[float]:
    """Return for each bucket the seconds until it has `cost` for its source, and what it leaves."""
    now = time.time()
    keys = [bucket.key(source) for bucket, source, _ in parts]
    rows = _full_at(keys)
    return [
        bucket.missing_seconds(rows.get(key, now), cost, now, leave=leave)
        for key, (bucket, _, leave) in zip(keys, parts, strict=True)
    ]


def _full_at(keys: Sequence[int]) -> dict[int, float]:
    """Return by key when buckets will be full again. One query, for which Django writes no SQL."""
    if not keys:
        return {}
    holes = ", ".join(["%s"] * len(keys))
    with connection.cursor() as cursor:
        cursor.execute(_READ.format(table=Budget._meta.db_table, keys=holes), keys)
        return dict(cursor.fetchall())


def forget_full(*, now: float | None = None) -> int:
    """Delete the rows of buckets that are full, or were set by another clock; return a count.

    Web hosts fill buckets by their clocks. A worker, whose own may be hours apart, gives `now`.
    """
    now = time.time() if now is None else now
    full = Budget.objects.filter(full_at__lt=now)
    strange = Budget.objects.filter(full_at__gt=now + 24 * 3600)
    return full.delete()[0] + strange.delete()[0]
