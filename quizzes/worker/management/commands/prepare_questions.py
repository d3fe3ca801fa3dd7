"""manage.py prepare_questions: draw the numbers of generated questions now, without a worker."""

from typing import Any

from django.core.management.base import CommandError

from quizzes.grader.api import SandboxBroken, SandboxUnavailable
from quizzes.terminal import PlainCommand
from quizzes.worker.question_pool import POOL_SIZE, fill_pools

FAULTS, SANDBOX_OFF = 1, 3


class Command(PlainCommand):
    help = (
        "Fill the pools of generated questions, as a worker does. Exit code 1: a generator failed."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        del args, options
        try:
            problems = fill_pools(size=POOL_SIZE, again=True)
        except (SandboxUnavailable, SandboxBroken) as error:
            raise CommandError(str(error), returncode=SANDBOX_OFF) from error
        for problem in problems:
            self.stdout.write(problem)
        if problems:
            words = f"{len(problems)} generators fail; a worker tries them again"
            raise CommandError(words, returncode=FAULTS)
        self.stdout.write("every generated question has its numbers")
