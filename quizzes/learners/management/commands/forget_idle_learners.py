"""`manage.py forget_idle_learners`: delete the work of visitors without an account."""

from datetime import timedelta
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from quizzes.learners.budgets import forget_budgets
from quizzes.learners.forget_unclaimed import forget_unclaimed_learners
from quizzes.learners.models import Learner
from quizzes.terminal import PlainCommand


class Command(PlainCommand):
    help = "Delete learners without an account who did nothing for 90 days. Run it once a day."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--days", type=int, default=IDLE_AFTER.days)

    def handle(self, *_args: Any, days: int, **_options: Any) -> None:
        if not 1 <= days <= 3650:
            raise CommandError(f"--days {days}: must be between 1 and 3650")
        forgotten = forget_idle_learners(idle_after=timedelta(days=days))
        forgotten += forget_unclaimed_learners()
        forget_budgets()
        self.stdout.write(f"{forgotten} learners without an account forgotten")


IDLE_AFTER = timedelta(days=90)
BATCH = 200  # learners a transaction: others do not wait long for the database


def forget_idle_learners(*, idle_after: timedelta = IDLE_AFTER) -> int:
    """Delete learners without an account that did nothing for that long; return their number."""
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
