"""The budget of figures, whose cost is known afterwards: kept by all processes, and no longer."""

import time
from itertools import cycle

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from quizzes.learners import budgets
from quizzes.learners.budgets import MeasuredBudget, PersonBudget
from tests.learners.visitors import OTHER, cookie_of, request_from, with_cookies

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


class SimulatedClock:
    """The clock of the wall, which may jump, and the one that never does."""

    def __init__(self) -> None:
        self.wall, self.steady = time.time(), 1_000.0

    def time(self) -> float:
        return self.wall

    def monotonic(self) -> float:
        return self.steady

    def sleep(self, seconds: float) -> None:
        self.wall += seconds
        self.steady += seconds


@pytest.fixture
def clock(monkeypatch):
    simulated = SimulatedClock()
    monkeypatch.setattr(budgets, "time", simulated)
    return simulated


def test_measured_costs_are_written_in_lumps_and_then_refuse(clock, django_assert_num_queries):
    budget = MeasuredBudget(PersonBudget("test", per_second=0.001, burst=0.01))
    with django_assert_num_queries(1):  # the rows are read once a second, and nothing is written
        for _ in range(20):
            budget.note(request_from(), 0.01)
            assert budget.wait_seconds(request_from()) == 0
    for _ in range(60):
        budget.note(request_from(), 0.01)
    assert budget.wait_seconds(request_from()) > 0
    assert budget.wait_seconds(request_from(OTHER)) == 0


class WebProcesses:
    """Processes that answer in turn; each has a memory of its own, and they share the rows."""

    def __init__(self, count: int, clock: SimulatedClock, monkeypatch, request) -> None:
        budget = budgets.FIGURES.budget
        memories = [(type(budgets.refusals)(), MeasuredBudget(budget)) for _ in range(count)]
        self._turns = cycle(memories)
        self.request, self._clock, self._monkeypatch = request, clock, monkeypatch

    def wait_for(self, cost: float) -> int:
        """Ask the next process for a figure of this cost; return 0, or what it says to wait."""
        memory, budget = next(self._turns)
        self._monkeypatch.setattr(budgets, "refusals", memory)
        if not (wait := budget.wait_seconds(self.request)):
            budget.note(self.request, cost)
        return wait

    def used_within(self, seconds: float, *, cost: float, every: float) -> float:
        """Return the processor seconds of a visitor who asks again and again, refused or not."""
        used, end = 0.0, self._clock.steady + seconds
        while self._clock.steady < end:
            used += cost if self.wait_for(cost) == 0 else 0.0
            self._clock.sleep(every)
        return used


@pytest.mark.parametrize("count", [1, 2, 4])
def test_a_person_gets_the_figures_of_one_budget_from_all_processes(clock, monkeypatch, count):
    bucket = budgets.FIGURES.budget.person
    web = WebProcesses(count, clock, monkeypatch, with_cookies(cookie_of()))
    used = web.used_within(3600, cost=1.4, every=1.4 / count)
    assert 0.9 < used / (bucket.burst + 3600 * bucket.per_second) < 1.5


def test_a_process_that_remembers_nothing_reads_what_is_owed(clock, monkeypatch):
    bucket = budgets.FIGURES.budget.person
    request, used = with_cookies(cookie_of()), 0.0
    for _ in range(900):
        web = WebProcesses(1, clock, monkeypatch, request)
        used += 1.4 if web.wait_for(1.4) == 0 else 0.0
        clock.sleep(4)
    assert 0.9 < used / (bucket.burst + 3600 * bucket.per_second) < 1.5


def test_an_address_gets_the_figures_of_one_budget_from_all_processes(clock, monkeypatch):
    bucket = budgets.FIGURES.budget.strangers
    web = WebProcesses(20, clock, monkeypatch, request_from())
    used = web.used_within(200, cost=1.4, every=1.4 / 20)
    assert 0.9 < used / (bucket.burst + 200 * bucket.per_second) < 1.5


def test_a_large_debt_is_waited_for_and_the_wait_that_is_told_is_true(clock, monkeypatch):
    """Forty requests at the same moment owe far more than the longest wait."""
    web = WebProcesses(2, clock, monkeypatch, with_cookies(cookie_of()))
    for _ in range(40):
        web.wait_for(0.0)
        budgets.FIGURES.budget.person.owe(budgets.person_of(web.request), 1.4)
    waits = [web.wait_for(1.4) for _ in range(2)]
    assert waits == [budgets.DEBT_SECONDS] * 2
    clock.sleep(waits[0] - 2)
    assert [web.wait_for(1.4) for _ in range(2)] == [2, 2]
    clock.sleep(2)
    assert web.wait_for(1.4) == 0


@pytest.mark.parametrize("count", [1, 2])
def test_a_learner_who_drags_a_slider_for_a_minute_is_not_refused(clock, monkeypatch, count):
    """Thirty figures a second of 1.5 ms (docs/benchmarks.md); most of them ask no database."""
    web = WebProcesses(count, clock, monkeypatch, with_cookies(cookie_of()))
    with CaptureQueriesContext(connection) as queries:
        for _ in range(60 * 30):
            assert web.wait_for(0.0015) == 0
            clock.sleep(1 / 30)
    assert len(queries) < count * 61 + 2 * 60 * 30 * 0.0015 / budgets.SETTLED_COST


@pytest.mark.parametrize("jump", [300, 700, 3600, 86_400])
@pytest.mark.parametrize("every", [10, 120])
def test_a_clock_that_was_ahead_does_not_refuse_figures_for_as_long_as_it_was(
    clock, monkeypatch, jump, every
):
    """The rows of person and address refuse one after the other, as far apart as they were full."""
    web = WebProcesses(1, clock, monkeypatch, with_cookies(cookie_of()))
    assert [web.wait_for(1.0) for _ in range(3)] == [0, 0, 0]
    clock.wall -= jump
    refused = 0
    for _ in range(2 * min(jump, 3600) // every + 100):
        refused += every if web.wait_for(0.005) else 0
        clock.sleep(every)
    bucket = budgets.FIGURES.budget.person
    assert refused <= budgets.STALE_SECONDS + bucket.burst / bucket.per_second + every
