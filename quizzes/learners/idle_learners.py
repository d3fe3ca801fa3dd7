"""Visitors without an account that did nothing for long: deleted with all their work."""

from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from quizzes.learners.models import Learner

IDLE_AFTER = timedelta(days=90)
BATCH = 200  # learners a transaction: others do not wait long for the database


def forget_idle_learners(*, idle_after: timedelta = IDLE_AFTER) -> int:
    """Delete learners without an account that did nothing for that long; return their number."""
    forgotten = 0
    while gone := _forget_batch(idle_after):
        forgotten += gone
    return forgotten


def forget_some_idle_learners() -> bool:
    """Delete a batch of them; return whether there may be more."""
    return _forget_batch(IDLE_AFTER) > 0


@transaction.atomic
def _forget_batch(idle_after: timedelta) -> int:
    idle = Learner.objects.filter(user=None, last_seen_at__lt=timezone.now() - idle_after)
    # Locked, so that nobody among them comes back or signs up half-way.
    batch = list(idle.select_for_update().order_by("pk").values_list("pk", flat=True)[:BATCH])
    _, deleted = Learner.objects.filter(pk__in=batch).delete()
    return deleted.get(Learner._meta.label, 0)
