"""`manage.py worker`: grade submissions until stopped by SIGTERM or Ctrl-C."""

from typing import Any

from quizzes.terminal import PlainCommand
from quizzes.worker.worker import Worker


class Command(PlainCommand):
    help = "Grade submissions until stopped (SIGTERM or Ctrl-C). Several can run at once."
    requires_system_checks = ()

    def handle(self, *_args: Any, **_options: Any) -> None:
        worker = Worker()
        worker.stop_on_signals()
        worker.run()
