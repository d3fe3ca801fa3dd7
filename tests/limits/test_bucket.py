"""A bucket by itself: what it lets through, by a model of it, by any clock, on rows."""

import itertools
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from hypothesis import given, settings
from hypothesis import strategies as st

from quizzes.limits import bucket as bucket_module
from quizzes.limits.bucket import CLOCKS_APART, Bucket, forget_full
from quizzes.limits.models import Budget
from tests.databases import on_postgresql

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

BUCKET = Bucket("test", per_second=0.5, at_once=8, overdraft=4)
SOURCES = map(str, itertools.count())
COSTS = st.integers(1, 32).map(lambda quarter: quarter / 4)  # exact as binary fractions
PAUSES = st.integers(0, 64).map(lambda quarter: quarter / 4)
few_examples = settings(max_examples=30)


@contextmanager
def stopped_clock() -> Iterator[SimpleNamespace]:
    """Give buckets a clock that a test moves."""
    clock = SimpleNamespace(now=2.0**30)
    with mock.patch.object(bucket_module, "time", SimpleNamespace(time=lambda: clock.now)):
        yield clock


@few_examples
@given(st.lists(st.tuples(COSTS, PAUSES, st.sampled_from([0.0, 0.25]), st.booleans())))
def test_bucket_takes_what_its_model_has(uses):
    """Nobody under the rate is refused; a wait is true; an overdraft is bounded."""
    source, level = next(SOURCES), BUCKET.at_once
    with stopped_clock() as clock:
        for cost, pause, leave, is_charged in uses:
            if is_charged:
                BUCKET.charge(source, cost)
                level = max(level - cost, -BUCKET.overdraft)
            else:
                lowest = leave * BUCKET.at_once
                wait = BUCKET.take(source, cost, leave=leave)
                assert (wait == 0) == (level - cost >= lowest)
                if cost <= BUCKET.at_once - lowest:
                    assert wait == max(0, cost + lowest - level) / BUCKET.per_second
                level -= 0 if wait else cost
            clock.now += pause
            level = min(BUCKET.at_once, level + pause * BUCKET.per_second)
            assert BUCKET.wait(source, 0) == max(0, -level) / BUCKET.per_second


@few_examples
@given(st.lists(COSTS))
def test_steady_use_is_never_refused(costs):
    source = next(SOURCES)
    with stopped_clock() as clock:
        for cost in costs:
            assert BUCKET.take(source, cost) == 0
            clock.now += cost / BUCKET.per_second


@few_examples
@given(st.lists(st.tuples(COSTS, st.integers(-100_000, 100_000))), st.integers(0, 100_000))
def test_clock_jumps_refuse_for_a_bounded_time(uses, jump):
    source, longest = next(SOURCES), BUCKET.longest_seconds + CLOCKS_APART
    with stopped_clock() as clock:
        for cost, seconds in uses:
            BUCKET.charge(source, cost)
            clock.now += seconds
        clock.now -= jump
        assert BUCKET.wait(source, 0) <= longest
        BUCKET.charge(source, 0.25)  # by the clock as it is now
        clock.now += longest
        assert BUCKET.take(source, BUCKET.at_once) == 0


def test_cost_above_the_whole_takes_nothing():
    assert BUCKET.take("large", 9) == BUCKET.longest_seconds
    assert not Budget.objects.exists()


def test_sources_and_names_have_buckets_of_their_own():
    other = Bucket("other", per_second=0.5, at_once=8)
    assert [BUCKET.take("a", 8), BUCKET.take("b", 8), other.take("a", 8)] == [0, 0, 0]
    assert BUCKET.take("a", 8) > 0


def test_refusals_write_nothing(django_assert_num_queries):
    BUCKET.take("a", 8)
    row = Budget.objects.get().full_at
    for _ in range(20):
        assert BUCKET.take("a", 8) > 0
    assert Budget.objects.get().full_at == row
    with django_assert_num_queries(1):
        BUCKET.wait("a", 8)


@few_examples
@given(st.sets(st.text("abc", max_size=5), max_size=20), PAUSES)
def test_rows_are_one_a_key_and_forgotten_once_full(sources, pause):
    with stopped_clock() as clock:
        clock.now += 10 * bucket_module.CLOCKS_APART
        for source in sources:
            BUCKET.charge(source, 8)
            BUCKET.take(source, 1)
        assert Budget.objects.count() == len(sources)
        clock.now += pause
        assert forget_full() == (len(sources) if pause > 16 else 0)
        clock.now += 16.5
        forget_full()
        assert not Budget.objects.exists()


def test_rows_of_another_clock_are_forgotten():
    with stopped_clock() as clock:
        clock.now += 100_000
        BUCKET.charge("a", 8)
        clock.now -= 100_000
        assert forget_full() == 1


def use_file(file: Path) -> None:
    """Have this thread use a file instead of SQLite's memory, where nobody waits for a lock."""
    if connection.vendor == "sqlite":
        connection.settings_dict = {**connection.settings_dict, "NAME": str(file)}


@pytest.mark.django_db(transaction=True)
def test_two_processes_cannot_both_take_the_last(tmp_path):
    file, everybody = tmp_path / "database", threading.Barrier(16)
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("VACUUM INTO %s", [str(file)])

    def take(_: int) -> bool:
        use_file(file)
        everybody.wait(30)
        try:
            return BUCKET.take("a", 2) == 0
        finally:
            connection.close()

    with stopped_clock(), ThreadPoolExecutor(16) as pool:
        assert sum(pool.map(take, range(16))) == 4


@pytest.mark.skipif(not on_postgresql(), reason="SQLite has no such setting")
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("transaction_of_view", [nullcontext, transaction.atomic])
def test_only_buckets_own_transaction_skips_disk(transaction_of_view):
    """The server of the tests never waits for its disk, so this session says that it does."""

    def waits_for_disk() -> bool:
        with connection.cursor() as cursor:
            cursor.execute("SHOW synchronous_commit")
            return bool(cursor.fetchone() == ("on",))

    with connection.cursor() as cursor:
        cursor.execute("SET synchronous_commit TO on")
    try:
        with transaction_of_view(), CaptureQueriesContext(connection) as captured:
            assert BUCKET.take("a", 1) == 0
            assert waits_for_disk()
        assert waits_for_disk()
    finally:
        connection.close()
    sets_it = "set_config('synchronous_commit', 'off'" in captured.captured_queries[0]["sql"]
    assert sets_it is (transaction_of_view is nullcontext)
