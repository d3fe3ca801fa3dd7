"""What the benchmark of a deadline makes of its numbers."""

from typing import Any

import pytest

from benchmarks import deadline
from benchmarks.deadline import is_whole, misses, summary, wait_for_reserve

KINDS = ("sign-in", "quiz page", "questions")
WHOLE = {"answers_sent": 24, "answers_equal": 24, "answers_expected": 24, "faults": {}}


def result(p95: float = 100.0, worst: float = 500.0, **other: int) -> dict[str, Any]:
    times = {kind: {"p95": p95, "worst": worst} for kind in KINDS}
    return {"times": times, "other_answers": other}


def test_all_goals_can_be_met():
    assert misses({"sqlite": result(249), "postgresql": result(250)}) == []
    assert misses({"sqlite": result(249)}) == []


@pytest.mark.parametrize(
    ("sqlite", "postgresql", "said"),
    [
        (result(251), result(249), "sqlite: quiz page p95 251 ms > 250"),
        (result(100), result(131), "postgresql: questions p95 1.31 times SQLite's > 1.3"),
        (result(), result(worst=3001), "postgresql: sign-in, worst 3001 ms > 3000"),
        (result(start_503=2), result(), "sqlite: other answers {'start_503': 2}"),
    ],
)
def test_missed_goal_is_named(sqlite, postgresql, said):
    assert said in misses({"sqlite": sqlite, "postgresql": postgresql})


@pytest.mark.parametrize(
    "change", [{"answers_equal": 23}, {"answers_sent": 23}, {"faults": {"wrong points": 1}}]
)
def test_lost_or_wrong_answer_is_not_whole(change):
    assert is_whole(WHOLE)
    assert not is_whole(WHOLE | change)


def test_summary_is_in_milliseconds():
    numbers = summary([number / 1000 for number in range(101)])
    assert numbers == pytest.approx({"count": 101, "p50": 50, "p95": 95, "worst": 100}, rel=0.02)
    assert summary([0.25]) == {"count": 1, "p50": 250, "p95": 250, "worst": 250}


def test_wait_for_packs_ends(monkeypatch):
    monkeypatch.setattr(deadline, "run_script", lambda *_: "False\n")
    monkeypatch.setattr(deadline, "PATIENCE_SECONDS", 0)
    with pytest.raises(RuntimeError, match="were not drawn within 0 s"):
        wait_for_reserve(object())
