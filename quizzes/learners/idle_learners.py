"""Visitors without an account who are gone: deleted with all their work. Periodic tasks."""

from datetime import timedelta

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from quizzes.learners.models import Learner

IDLE_AFTER = timedelta(days=90)
UNCLAIMED_FOR = timedelta(days=1)
MOST_UNCLAIMED = 20_000  # of the site; beyond it the oldest go, however young
BATCH = 200  # learners a transaction: others do not wait long for the database
ALL = 10**9


def forget_idle_learners(*, idle_after: timedelta = IDLE_AFTER, most: int = ALL) -> int:
    """Delete learners without an account that did nothing for that long; return their number."""
    idle = Learner.objects.filter(user=None, last_seen_at__lt=timezone.now() - idle_after)
    return _forget(idle.order_by("pk"), most=most)


def forget_some_idle_learners() -> bool:
    """Delete a batch of them; return whether there may be more."""
    return forget_idle_learners(most=BATCH) == BATCH


def forget_unclaimed_learners(*, most: int = ALL) -> int:
    """Delete learners that did one thing a day ago and nothing since; return their number."""
    old = timezone.now() - UNCLAIMED_FOR
    unclaimed = Learner.objects.filter(user=None, is_claimed=False).order_by("created_at", "pk")
    forgotten = _forget(unclaimed.filter(created_at__lt=old), most=most)
    surplus = min(unclaimed.count() - MOST_UNCLAIMED, most - forgotten)
    return forgotten + (_forget(unclaimed, most=surplus) if surplus > 0 else 0)


def forget_some_unclaimed_learners() -> bool:
    """Delete a batch of them; return whether there may be more."""
    return forget_unclaimed_learners(most=BATCH) == BATCH


def _forget(learners: QuerySet[Learner], *, most: int) -> int:
    forgotten = 0
    while forgotten < most:
        deleted = _forget_batch(learners, min(BATCH, most - forgotten))
        forgotten += deleted
        if not deleted:
            break
    return forgotten


@transaction.atomic
def _forget_batch(learners: QuerySet[Learner], number: int) -> int:
    # Locked, so that nobody among them comes back or signs up half-way.
    batch = list(learners.select_for_update().values_list("pk", flat=True)[:number])
    _, deleted = Learner.objects.filter(pk__in=batch).delete()
    return deleted.get(Learner._meta.label, 0)
