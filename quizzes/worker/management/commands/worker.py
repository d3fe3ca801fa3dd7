"""`manage.py worker`: grade submissions until stopped by SIGTERM or Ctrl-C."""

import gc
import sys
from typing import Any

from quizzes.terminal import PlainCommand
from quizzes.worker.worker import Worker

SWITCH_SECONDS = 0.0005  # after which a thread that works beside the grading gives way to it


class Command(PlainCommand):
    help = "Grade submissions until stopped (SIGTERM or Ctrl-C). Several can run at once."
    requires_system_checks = ()

    def handle(self, *_args: Any, **_options: Any) -> None:
        gc.freeze()  # what was loaded stays: looking through it for garbage stops all threads
        sys.setswitchinterval(SWITCH_SECONDS)
        worker = Worker()
        worker.stop_on_signals()
        worker.run()
