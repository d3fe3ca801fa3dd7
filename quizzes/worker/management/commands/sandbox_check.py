"""`manage.py sandbox_check`: what this machine offers for the sandbox, and what to do."""

from typing import Any

from django.core.management.base import CommandError

from quizzes.grader.api import SandboxUnavailable
from quizzes.grader.sandbox import check_host, is_installed, open_sandbox
from quizzes.terminal import PlainCommand

PROFILES = {"student": "students' code", "author": "authors' code"}
WITH_TORCH = {"torch": "students' PyTorch code", "author-torch": "authors' PyTorch code"}
OFF = 3


class Command(PlainCommand):
    help = (
        "Check whether this machine has what the sandbox for submitted code needs, and say what to "
        "do about missing parts. Exit code 0: code can be graded here, 3: it cannot."
    )
    requires_system_checks = ()

    def handle(self, *_args: Any, **_options: Any) -> None:
        missing, checks = 0, check_host()
        for check in checks:
            missing += not check.ok
            self._line(check.name, check.detail, ok=check.ok, cure=check.cure)
        profiles = PROFILES | (WITH_TORCH if is_installed("torch") else {})
        if not checks[0].ok:
            profiles = {}  # another system, of which nothing more was asked
        for profile, whose in profiles.items():
            try:
                with open_sandbox(profile):
                    self._line("self-test", f"a sandbox for {whose} works", ok=True)
            except SandboxUnavailable as error:
                missing += 1
                found = f"no sandbox for {whose}: {error.reason}"
                self._line("self-test", found, ok=False, cure=error.cure)
        if missing:
            raise CommandError("Code cannot be graded on this machine.", returncode=OFF)
        self.stdout.write("Code can be graded on this machine.")

    def _line(self, name: str, detail: str, *, ok: bool, cure: str = "") -> None:
        self.stdout.write(f"{'ok     ' if ok else 'MISSING'}  {name + ':':<17} {detail}")
        if cure and not ok:
            self.stdout.write(f"         what to do:       {cure}")
