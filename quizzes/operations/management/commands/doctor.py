"""`manage.py doctor`: what is wrong with this site, in words, with the cure."""

from typing import Any

from django.core.management.base import CommandError

from quizzes.operations.doctor import examine
from quizzes.terminal import PlainCommand


class Command(PlainCommand):
    help = (
        "Look at the disk, the settings, the database, people, courses, the queue, the sandbox and"
        " the mail server, and say what is wrong and what to do. Changes nothing. Exit 1: something"
        " is wrong."
    )
    requires_system_checks: list[str] = []  # it runs them itself, and goes on after a failure

    def handle(self, *_args: Any, **_options: Any) -> None:
        found = examine()
        for finding in found:
            mark = "ok   " if finding.well else "WRONG"
            self.stdout.write(f"{mark} {finding.part}: {finding.found}")
            if not finding.well:
                self.stdout.write(f"      cure: {finding.cure}")
        wrong = sum(not finding.well for finding in found)
        if wrong:
            raise CommandError(f"{wrong} of {len(found)} things are wrong")
        self.stdout.write(f"all {len(found)} things are well")
