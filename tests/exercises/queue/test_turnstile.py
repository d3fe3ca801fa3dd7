"""Two workers that reach for different rows in the same moment keep the rules about all rows."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import connection, transaction
from django.utils import timezone

from quizzes.exercises.queue import leases
from tests.exercises import making

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db(transaction=True)]


def lease_elsewhere() -> leases.Lease | None:
    """As another process does: on a connection of its own."""
    try:
        return leases.lease_next(worker="two")
    finally:
        connection.close()


@pytest.mark.skipif(
    connection.vendor == "sqlite", reason="a database in memory, and SQLite has one writer anyway"
)
@pytest.mark.parametrize("slow", [False, True], ids=["one learner's rows", "two slow rows"])
def test_the_second_waits_and_then_sees_what_the_first_took(exercise, slow):
    """The first takes slow code that waited long before all, the second what is due first."""
    learner, now = making.new_learner(), timezone.now()
    patient = making.waiting(
        exercise, learner, slow=True, submitted_at=now - timedelta(seconds=40), scheduled_for=now
    )
    early = now - timedelta(seconds=5)
    due = making.waiting(
        exercise, None if slow else learner, slow=slow, submitted_at=early, scheduled_for=early
    )
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            mine = leases.lease_next(worker="one", slow_too=True)
            other = pool.submit(lease_elsewhere)
            with pytest.raises(TimeoutError):
                other.result(timeout=0.4)
        assert other.result(timeout=60) is None
    assert mine.submission == patient
    assert leases.record(lease=mine, report=making.WRONG)
    assert leases.lease_next(worker="two").submission == due
