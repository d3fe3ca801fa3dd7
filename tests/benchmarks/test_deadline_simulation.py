"""The simulation of a deadline waits as theory and hand computation say."""

import json
import random
from datetime import timedelta
from math import factorial, inf
from pathlib import Path
from statistics import mean

import pytest
from django.conf import settings
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.deadline_simulation import (
    QUICK_SECONDS,
    SLOW_SECONDS,
    SLOW_SHARE,
    SLOW_WAITS,
    arrivals_of,
    main,
    percentile,
    service_of,
    simulate,
)
from quizzes.exercises.models import submission
from quizzes.exercises.queue import lanes

BURST = {
    "queue": {
        "one_at_a_time_ms": {
            "numpy verdict": {"p50": 8.0, "p95": 27.0, "p99": 28.0},
            "torch verdict": {"p50": 7.0, "p95": 11.0, "p99": 12.0},
        },
        "burst": {"submissions": 500, "loops": 50, "honest_p50": 6.8, "honest_p95": 12.8},
    },
    "gates": {"torch_submissions_a_second": {"measured": 80.0}},
}


def mean_wait_of_queue(rate: float, service: float, workers: int) -> float:
    """Return seconds until a worker begins, of M/M/c: Erlang's formula C."""
    load = rate * service
    last = load**workers / factorial(workers) * workers / (workers - load)
    busy = last / (sum(load**n / factorial(n) for n in range(workers)) + last)
    return busy * service / (workers - load)


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 2, 4])
def test_waits_match_erlang(workers):
    draw, service, load = random.Random(workers), 0.02, 0.7
    rate = load * workers / service
    at, arrivals = 0.0, []
    for _ in range(60_000):
        at += draw.expovariate(rate)
        arrivals.append((at, draw.expovariate(1 / service)))
    waits = simulate(arrivals, workers=workers)
    expected = service + mean_wait_of_queue(rate, service, workers)
    assert mean(waits.honest) == pytest.approx(expected, rel=0.06)


def test_worker_takes_oldest_first():
    waits = simulate([(0, 0.1), (0, 0.2), (0.05, 0.3)])
    assert waits.honest == pytest.approx([0.1, 0.3, 0.55])


def test_hosts_share_a_line():
    waits = simulate([(0, 0.3), (0, 0.2), (0, 0.1)], hosts=2)
    assert waits.honest == pytest.approx([0.2, 0.3, 0.3])


def test_endless_code_waits_for_quick_code():
    """0.4 s in the quick lane, then the honest one that came meanwhile, then 2 s."""
    waits = simulate([(0, inf), (0.1, 0.3)])
    assert waits.honest == pytest.approx([0.4 + 0.3 - 0.1])
    assert waits.endless == pytest.approx([0.4 + 0.3 + 2.0])


def test_pack_is_drawn_before_first_run():
    """The slow lane has it already."""
    waits = simulate([(0, inf), (0, 0.3)], pack=1.0)
    assert waits.honest == pytest.approx([1.4 + 1.3])
    assert waits.endless == pytest.approx([1.4 + 1.3 + 2.0])


def test_patient_slow_code_takes_a_quarter():
    """After 30 s it comes before quick code; after its 2 s, quick code has the worker for 6 s."""
    steady = [(0.01 * number, 0.3) for number in range(300)]
    waits = simulate([(0, inf), (0, inf), *steady])
    first, second = waits.endless
    assert first == pytest.approx(SLOW_WAITS + 2.0, abs=0.4)
    assert second - first == pytest.approx(8.0, abs=0.4)


def test_lanes_are_those_of_the_product():
    assert (QUICK_SECONDS, SLOW_SHARE) == (lanes.QUICK_SECONDS, lanes.SLOW_SHARE)
    assert timedelta(seconds=SLOW_WAITS) == submission.SLOW_WAITS
    definition = "exercises/sinusoidal-table/exercise.yaml"
    assert f"wall_seconds: {SLOW_SECONDS:g}\n" in (settings.COURSE / definition).read_text()


@pytest.mark.parametrize(("width", "expected"), [(1, [2.4, 4.4, 6.4]), (2, [2.4, 2.4, 4.4])])
def test_width_is_how_many_run_slow_code(width, expected):
    waits = simulate([(0, inf)] * 3, workers=3, width=width)
    assert waits.endless == pytest.approx(expected)


@pytest.mark.parametrize(("width", "honest"), [(1, 0.2), (2, 0.2), (3, 0.2 + 1.0)])
def test_width_below_workers_leaves_one_for_quick_code(width, honest):
    waits = simulate([*[(0, inf)] * 3, (1.4, 0.2)], workers=3, width=width)
    assert waits.honest == pytest.approx([honest])


RUNS = st.one_of(st.floats(0.001, QUICK_SECONDS), st.just(inf))


@given(
    st.lists(st.tuples(st.floats(0, 20), RUNS), max_size=60),
    st.integers(1, 3),
    st.integers(1, 4),
    st.integers(1, 4),
)
def test_every_submission_gets_its_verdict(submissions, hosts, workers, width):
    arrivals = sorted(submissions)
    waits = simulate(arrivals, hosts=hosts, workers=workers, width=width)
    honest = [run for _, run in arrivals if run < inf]
    loops = len(arrivals) - len(honest)
    assert (len(waits.honest), len(waits.endless)) == (len(honest), loops)
    assert waits.busy == pytest.approx(sum(honest) + loops * (QUICK_SECONDS + SLOW_SECONDS))
    assert min(waits.endless, default=inf) > QUICK_SECONDS + SLOW_SECONDS - 1e-6
    assert min(waits.honest, default=inf) > min(honest, default=0) - 1e-6


def test_service_has_measured_rate():
    service, draw = service_of(BURST), random.Random(2)
    runs = [service(draw) for _ in range(20_000)]
    assert mean(runs) == pytest.approx(2 / 80, rel=0.03)
    assert percentile(runs, 0.95) > 2 * percentile(runs, 0.3)


def test_arrivals_are_random_and_in_order():
    arrivals = arrivals_of(2000, 100.0, 0.1, lambda _: 0.01, random.Random(3))
    times = [at for at, _ in arrivals]
    assert times == sorted(times)
    assert mean(times) == pytest.approx(50, rel=0.1)
    assert sum(run == inf for _, run in arrivals) == pytest.approx(200, rel=0.25)


def test_more_cores_wait_less(tmp_path: Path, capsys):
    written = tmp_path / "burst.json"
    written.write_text(json.dumps(BURST))
    assert main([str(written), "--submissions", "1000", "--minutes", "2"]) == 0
    first, *rows = [line for line in capsys.readouterr().out.splitlines() if line]
    assert first.startswith("The burst of 500 of that run")
    worst = [float(row.split()[6]) for row in rows[1:]]  # honest
    assert len(worst) == 4
    assert worst == sorted(worst, reverse=True)
    assert worst[0] > 2 * worst[-1]


@pytest.mark.parametrize("words", [["--endless", "1.5"], ["--width", "0"], ["--pack", "-1.0"]])
def test_bad_option_is_named(tmp_path: Path, capsys, words):
    written = tmp_path / "burst.json"
    written.write_text(json.dumps(BURST))
    with pytest.raises(SystemExit):
        main([str(written), *words])
    assert f"{words[0]} {words[1]}" in capsys.readouterr().err
