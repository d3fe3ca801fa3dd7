"""PostgreSQL: workers that reach for rows in the same moment keep the rules about all rows.

SQLite has one writer at a time, so there is no such moment.
"""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import connection, transaction
from django.utils import timezone

from quizzes.exercises.queue import leases
from quizzes.exercises.queue.engine import engine
from quizzes.exercises.queue.port import Lease
from tests.databases import on_postgresql
from tests.exercises import making

pytestmark = [
    pytest.mark.both_databases,
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(not on_postgresql(), reason="SQLite has one writer at a time"),
]


def take_elsewhere(worker: str = "two") -> Lease | None:
    """As another process does: on a connection of its own."""
    try:
        return leases.lease_next(worker=worker)
    finally:
        connection.close()


def test_no_worker_waits_for_another_and_no_row_is_taken_twice(exercise):
    learner = making.new_learner()
    mine, also_mine = making.waiting(exercise, learner), making.waiting(exercise, learner)
    other = making.waiting(exercise, submitted_at=timezone.now() + timedelta(minutes=1))
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            first = leases.lease_next(worker="one")
            second = pool.submit(take_elsewhere).result(timeout=20)
            assert pool.submit(take_elsewhere, "three").result(timeout=20) is None
        assert (first.submission, second.submission) == (mine, other)
        assert leases.record(lease=first, report=making.WRONG)
        assert pool.submit(take_elsewhere, "four").result(timeout=20).submission == also_mine


def test_a_race_for_one_lock_is_no_failure_of_the_worker(exercise):
    """A row that passes its learner's waiting one, as none does that `submit_code` stores."""
    learner = making.new_learner()
    making.waiting(exercise, learner)
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            first = leases.lease_next(worker="one")
            pool.submit(_put_one_that_passes, exercise, learner).result(timeout=20)
            second = pool.submit(take_elsewhere)
            with pytest.raises(TimeoutError):
                second.result(timeout=0.4)  # it waits for the index of jobs in work
        assert second.result(timeout=20) is None
    assert leases.record(lease=first, report=making.WRONG)
    assert leases.lease_next(worker="two").submission.learner == learner


def _put_one_that_passes(exercise, learner) -> None:
    try:
        early = timezone.now() - timedelta(minutes=1)
        making.waiting(exercise, learner, submitted_at=early, scheduled_for=early)
    finally:
        connection.close()


def test_a_row_and_its_job_are_stored_together_or_not_at_all(exercise):
    with transaction.atomic():
        making.hand_in(exercise)
        transaction.set_rollback(True)
    assert leases.lease_next(worker="one") is None
    assert engine().put_missing() == 0
    row = making.hand_in(exercise)
    assert leases.lease_next(worker="one").submission == row


def test_a_verdict_that_is_not_stored_leaves_the_job(exercise):
    """It is graded by another worker, and by the same one at once: it knows that it broke off."""
    row = making.waiting(exercise)
    taken = making.lease("one")
    with transaction.atomic():
        assert leases.record(lease=taken, report=making.WRONG)
        transaction.set_rollback(True)
    assert leases.lease_next(worker="one") is None
    making.let_ten_seconds_pass()
    leases.sweep()
    again = making.lease("one")
    assert (again.submission, again.number) == (row, 2)
    assert not leases.record(lease=taken, report=making.WRONG)
    assert leases.record(lease=again, report=making.CORRECT)


def test_a_row_without_a_job_gets_one_and_no_row_gets_two(exercise):
    """Such as rows that an older web process stored, or that were copied from SQLite."""
    known = making.waiting(exercise)
    lost = making.waiting(exercise)
    held = making.lease("one")
    with connection.cursor() as cursor:
        cursor.execute(
            "DELETE FROM procrastinate_jobs WHERE args->>'submission' = %s", [str(lost.pk)]
        )
    assert held.submission == known
    assert [engine().put_missing(), engine().put_missing()] == [1, 0]
    assert leases.lease_next(worker="two").submission == lost
    assert engine().put_missing() == 0


def test_a_held_row_whose_job_somebody_deleted_is_graded_again(exercise):
    row = making.waiting(exercise)
    lost = making.lease("one")
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM procrastinate_jobs")
    assert engine().put_missing() == 1
    again = making.lease("two")
    assert (again.submission, again.number) == (row, 2)
    assert not leases.record(lease=lost, report=making.WRONG)


def test_a_worker_thought_long_dead_goes_on_under_a_new_number(exercise):
    making.waiting(exercise)
    leases.record(lease=making.lease("one"), report=making.WRONG)
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM procrastinate_workers")
    row = making.waiting(exercise)
    assert making.lease("one").submission == row


@pytest.mark.parametrize("year", [2026, 2040, 2093])
def test_rows_of_any_year_have_a_place_in_the_order(exercise, year):
    """A priority is a whole number of 32 bits."""
    at = timezone.now().replace(year=year)
    later = making.waiting(exercise, submitted_at=at, scheduled_for=at + timedelta(seconds=2))
    first = making.waiting(exercise, submitted_at=at, scheduled_for=at)
    assert making.lease("one").submission == first
    assert making.lease("two").submission == later


def test_nothing_is_left_of_graded_rows(exercise):
    rows = [making.waiting(exercise).pk for _ in range(5)]
    assert _jobs_of(rows) == 5
    for number in range(5):
        leases.record(lease=making.lease(str(number)), report=making.WRONG)
    assert _jobs_of(rows) == 0


def _jobs_of(rows: list[int]) -> int:
    with connection.cursor() as cursor:
        jobs = "procrastinate_jobs WHERE (args->>'submission')::bigint = ANY(%s)"
        cursor.execute(f"SELECT count(*) FROM {jobs}", [rows])
        return cursor.fetchone()[0]
