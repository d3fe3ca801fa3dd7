"""Seconds of the processor are charged afterwards: on rows, by all processes, and bounded."""

import random
import time
from types import SimpleNamespace

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from quizzes.limits import bucket as bucket_module
from quizzes.limits import limits
from quizzes.limits.limits import SECONDS, LimitReachedError
from tests.learners.visitors import cookie_of, request_from, with_cookies

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


class Visitor:
    """Somebody who asks for figures, at times that the test sets."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *, is_known: bool) -> None:
        self.now = time.time()
        clock = SimpleNamespace(time=lambda: self.now)
        monkeypatch.setattr(bucket_module, "time", clock)
        monkeypatch.setattr(limits, "random", random.Random(7))
        self.request = with_cookies(cookie_of("127.0.0.1")) if is_known else request_from()

    def draw(self, cost: float, *, at_once: int = 1) -> int:
        """Return 0, or the seconds to wait; `at_once` processes begin before any has ended."""
        try:
            for _ in range(at_once):
                SECONDS.refuse_overdrawn(self.request)
        except LimitReachedError as error:
            return error.wait_seconds
        for _ in range(at_once):
            SECONDS.charge(self.request, cost)
        return 0

    def use(self, seconds: float, cost: float, *, every: float, at_once: int = 1) -> float:
        """Return the processor seconds of a visitor who asks again and again, refused or not."""
        used, end = 0.0, self.now + seconds
        while self.now < end:
            used += at_once * cost if self.draw(cost, at_once=at_once) == 0 else 0.0
            self.now += every
        return used


@pytest.mark.parametrize(
    ("is_known", "part", "every"), [(True, "person", 1.4), (False, "address", 0.35)]
)
def test_visitor_uses_what_one_bucket_has(monkeypatch, is_known, part, every):
    bucket, visitor = getattr(SECONDS, part), Visitor(monkeypatch, is_known=is_known)
    most = bucket.at_once + 300 * bucket.per_second
    assert 0.7 * most < visitor.use(300, 1.4, every=every) < most + 2 * 1.4


def test_requests_at_once_overdraw_once(monkeypatch):
    """Eight threads draw what costs most; then the visitor waits, and the wait is true."""
    bucket, visitor = SECONDS.person, Visitor(monkeypatch, is_known=True)
    assert visitor.draw(1.4, at_once=8) == 0
    wait = visitor.draw(1.4)
    assert 0 < wait <= bucket.overdraft / bucket.per_second + 1
    visitor.now += wait - 1.5
    assert visitor.draw(1.4) > 0
    visitor.now += 1.5
    assert visitor.draw(1.4) == 0
    assert visitor.use(3600, 1.4, every=10, at_once=8) < 8 * 1.4 * (3600 / 130 + 1)


@pytest.mark.both_databases(postgresql="soak")
def test_slider_writes_now_and_then(monkeypatch):
    """Thirty figures a second of 1.5 ms (docs/benchmarks.md), for a minute: nobody is refused."""
    visitor = Visitor(monkeypatch, is_known=True)
    with CaptureQueriesContext(connection) as queries:
        assert visitor.use(60, 0.0015, every=1 / 30) > 2.69
    writes = [query for query in queries if query["sql"].strip().startswith("INSERT")]
    assert len(writes) < 300
