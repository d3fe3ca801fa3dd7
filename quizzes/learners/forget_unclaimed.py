"""Forget learners without an account that no browser came back for. A periodic task."""

from datetime import timedelta

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from quizzes.learners.models import Learner

UNCLAIMED_FOR = timedelta(days=1)
MOST_UNCLAIMED = 20_000  # of the site; beyond it the oldest go, however young
BATCH = 200  # learners a transaction: others do not wait long for the database


def forget_unclaimed_learners(*, most: int = 10**9) -> int:
    """Delete learners that did one thing a day ago and nothing since; return their number."""
    old = timezone.now() - UNCLAIMED_FOR
    unclaimed = Learner.objects.filter(user=None, is_claimed=False)
    forgotten = _forget(unclaimed.filter(created_at__lt=old), most=most)
    surplus = min(unclaimed.count() - MOST_UNCLAIMED, most - forgotten)
    return forgotten + (_forget(unclaimed, most=surplus) if surplus > 0 else 0)


def forget_some_unclaimed_learners() -> bool:
    """Do a piece of it; return whether there is more to do."""
    return forget_unclaimed_learners(most=BATCH) == BATCH


def _forget(learners: QuerySet[Learner], *, most: int) -> int:
    forgotten = 0
    while forgotten < most:
        gone = _forget_some(learners, min(BATCH, most - forgotten))
        forgotten += gone
        if not gone:
            break
    return forgotten


@transaction.atomic
def _forget_some(learners: QuerySet[Learner], number: int) -> int:
    # Locked, so that nobody among them comes back or signs up half-way.
    oldest = learners.select_for_update().order_by("created_at", "pk")
    batch = list(oldest.values_list("pk", flat=True)[:number])
    _, deleted = Learner.objects.filter(pk__in=batch).delete()
    return deleted.get(Learner._meta.label, 0)
