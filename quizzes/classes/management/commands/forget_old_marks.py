"""`manage.py forget_old_marks`: delete the marks of deleted people in classes long archived."""

from datetime import timedelta
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError, CommandParser

from quizzes.classes.marks.frozen_marks import forget_old_marks
from quizzes.terminal import PlainCommand


class Command(PlainCommand):
    help = (
        "Delete the marks of people who deleted their data, in classes that were archived at "
        "least RETENTION_DAYS days ago. Run it once a day."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--days", type=int, default=settings.RETENTION_DAYS)

    def handle(self, *_args: Any, days: int, **_options: Any) -> None:
        if not 1 <= days <= 36500:
            raise CommandError(f"--days {days}: must be between 1 and 36500")
        forgotten = forget_old_marks(after=timedelta(days=days))
        self.stdout.write(f"{forgotten} marks of deleted people forgotten")
