"""`manage.py worker`: grade submissions until stopped by SIGTERM or Ctrl-C."""

from typing import Any

from django.core.management.base import BaseCommand

from quizzes.exercises.worker import Worker


class Command(BaseCommand):
    help = "Grade submissions until stopped (SIGTERM or Ctrl-C). Several may run side by side."
    requires_system_checks = ()

    def handle(self, *_args: Any, **_options: Any) -> None:
        worker = Worker()
        worker.stop_on_signals()
        worker.run()
