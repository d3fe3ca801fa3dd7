"""`manage.py forget_idle_learners`: delete the work of visitors without an account."""

from datetime import timedelta
from typing import Any

from django.core.management.base import CommandError, CommandParser

from quizzes.learners.idle_learners import (
    IDLE_AFTER,
    forget_idle_learners,
    forget_unclaimed_learners,
)
from quizzes.limits.bucket import forget_full
from quizzes.terminal import PlainCommand


class Command(PlainCommand):
    help = (
        "Delete learners without an account who have done nothing for 90 days. Workers also do "
        "this daily."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--days", type=int, default=IDLE_AFTER.days)

    def handle(self, *_args: Any, days: int, **_options: Any) -> None:
        if not 1 <= days <= 3650:
            raise CommandError(f"--days {days}: must be between 1 and 3650")
        forgotten = forget_idle_learners(idle_after=timedelta(days=days))
        forgotten += forget_unclaimed_learners()
        forget_full()
        self.stdout.write(f"{forgotten} learners without an account forgotten")
