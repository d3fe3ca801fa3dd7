"""Learners without an account who have not come back are forgotten, with all they did."""

from datetime import timedelta

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from quizzes.learners.models import Learner

IDLE_AFTER = timedelta(days=90)
BATCH = 200  # learners a transaction: nobody else waits long for the database


def forget_idle_learners(*, idle_after: timedelta = IDLE_AFTER) -> int:
    """Delete learners without an account who did nothing for that long; return how many."""
    idle = Learner.objects.filter(user=None, last_seen_at__lt=timezone.now() - idle_after)
    forgotten = 0
    while gone := _forget_some(idle):
        forgotten += gone
    return forgotten


@transaction.atomic
def _forget_some(idle: QuerySet[Learner]) -> int:
    # Locked, so that nobody among them comes back or signs up half-way.
    batch = list(idle.select_for_update().order_by("pk").values_list("pk", flat=True)[:BATCH])
    _, deleted = Learner.objects.filter(pk__in=batch).delete()
    return deleted.get(Learner._meta.label, 0)
