"""`manage.py doctor`: what is wrong with this site, in words, with the cure."""

from typing import Any

from django.core.management.base import CommandError, CommandParser

from quizzes.operations.doctor import examine
from quizzes.terminal import PlainCommand


class Command(PlainCommand):
    help = (
        "Check the disk, the settings, the database, people, courses, the queue, the sandbox, the"
        " mail server and the providers of sign-on, and say what is wrong and what to"
        " do. It changes nothing. Exit code 1: something is wrong."
    )
    requires_system_checks: list[str] = []  # it runs them itself, and goes on after a failure

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--only",
            choices=["web", "worker"],
            default="",
            help="this host runs only web processes, or only workers, and needs nothing else",
        )

    def handle(self, *_args: Any, only: str, **_options: Any) -> None:
        found = examine(only=only)
        for diagnosis in found:
            mark = "ok   " if diagnosis.well else "WRONG"
            self.stdout.write(f"{mark} {diagnosis.part}: {diagnosis.detail}")
            if not diagnosis.well:
                self.stdout.write(f"      cure: {diagnosis.cure}")
        wrong = sum(not diagnosis.well for diagnosis in found)
        if wrong:
            raise CommandError(f"{wrong} of {len(found)} checks found something wrong")
        self.stdout.write(f"all {len(found)} checks passed")
