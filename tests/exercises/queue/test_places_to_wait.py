"""Only some requests of a web process wait for their verdicts; others are answered at once."""

import re
from collections.abc import Iterator
from contextlib import nullcontext

import pytest

from quizzes.exercises.models import Submission
from quizzes.exercises.queue import long_poll
from tests.databases import ROOT
from tests.exercises import making

pytestmark = [pytest.mark.both_databases(postgresql="soak"), pytest.mark.django_db]


@pytest.fixture
def row() -> Submission:
    return making.hand_in(making.ready_exercise())


@pytest.fixture
def full() -> Iterator[None]:
    """Have as many requests wait as may."""
    for _ in range(long_poll.PLACES):
        assert long_poll._places.acquire(blocking=False)
    yield
    for _ in range(long_poll.PLACES):
        long_poll._places.release()


def test_request_without_a_place_waits_for_nothing(
    row: Submission, full: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(long_poll, "VerdictListener", None)  # called, it would raise
    assert not long_poll.wait_for_verdict(submission=row, meanwhile=pytest.fail)


def test_request_that_fails_gives_its_place_back(
    row: Submission, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(long_poll, "VerdictListener", None)
    for _ in range(long_poll.PLACES + 1):
        with pytest.raises(TypeError):
            long_poll.wait_for_verdict(submission=row)


class StandingClock:
    """A clock, and a listener that nobody wakes, whose waits alone move it."""

    def __init__(self) -> None:
        self.now, self.waits = 0.0, list[float]()

    def monotonic(self) -> float:
        return self.now

    def wait(self, seconds: float) -> bool:
        self.waits.append(seconds)
        self.now += seconds
        return False


def test_request_waits_no_longer_than_it_may(
    row: Submission, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock, calls = StandingClock(), list[list[float]]()
    monkeypatch.setattr(long_poll, "time", clock)
    monkeypatch.setattr(long_poll, "VerdictListener", lambda _key: nullcontext(clock))
    assert not long_poll.wait_for_verdict(
        submission=row, meanwhile=lambda: calls.append(clock.waits[:])
    )
    assert calls == [[]]  # once, and before it waits
    assert clock.waits == pytest.approx([0.02, 0.04, 0.08, 0.16])
    assert sum(clock.waits) == pytest.approx(long_poll.WAIT_SECONDS)


def test_pages_keep_a_thread_of_each_process() -> None:
    text = (ROOT / "quizzes/config/gunicorn.py").read_text()
    threads = re.search(r"^threads = (\d+)$", text, re.MULTILINE)
    assert threads is not None
    assert int(threads[1]) > long_poll.PLACES
