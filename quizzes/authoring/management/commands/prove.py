"""manage.py prove PATH [SLUG ...]: exercises of a course folder prove themselves."""

import json
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from quizzes.content_files.characters import visible
from quizzes.exercises.files import FOLDER
from quizzes.grader.definition import read_definition, read_folder
from quizzes.grader.errors import MAX_MESSAGE, DefinitionError, SandboxBroken, SandboxUnavailable
from quizzes.grader.job import Sandbox
from quizzes.grader.sandbox import open_sandbox
from quizzes.grader.verifying import Verification, verify
from quizzes.terminal.commands import PlainCommand

OFF = 3


class Command(PlainCommand):
    help = (
        "Run reference, starter and every known-wrong variant of the exercises in a course folder: "
        "what a worker does before it publishes one. Exit code 0: all prove themselves, 1: some do "
        "not, 3: there is no sandbox here. Touches no database."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("path", metavar="PATH", help="folder that holds course.yaml")
        parser.add_argument("slugs", metavar="SLUG", nargs="*", help="these exercises only")
        parser.add_argument("--json", action="store_true", help="print each proof as a JSON line")

    def handle(self, *_args: Any, path: str, slugs: list[str], **options: Any) -> None:
        folder = Path(path) / FOLDER
        wanted = slugs or sorted(found.parent.name for found in folder.glob("*/exercise.yaml"))
        if not wanted:
            raise CommandError(f"PATH={visible(path)}: holds no exercise", returncode=2)
        try:
            with open_sandbox("author") as author, open_sandbox("student") as student:
                failed = sum(
                    not self._prove(folder / slug, author, student, as_json=options["json"])
                    for slug in wanted
                )
        except (SandboxUnavailable, SandboxBroken) as error:
            raise CommandError(str(error), returncode=OFF) from error
        if failed:
            raise CommandError(f"{failed} of {len(wanted)} exercises fail", returncode=1)

    def _prove(self, folder: Path, author: Sandbox, student: Sandbox, *, as_json: bool) -> bool:
        try:
            definition = read_definition(
                folder.name, read_folder(folder, root=folder.parent.parent)
            )
            found = verify(definition, author, student)
        except DefinitionError as error:
            self.stderr.write(f"{folder.name}: {error}")
            return False
        for problem in found.problems:
            self.stderr.write(visible(f"{folder.name}: {problem}", MAX_MESSAGE))
        if as_json:
            self.stdout.write(json.dumps(found.proof.as_json()))
        else:
            self._tell(folder.name, found)
        return found.ok

    def _tell(self, slug: str, found: Verification) -> None:
        score = found.proof.score
        self.stdout.write(
            f"{slug}: {score['caught']} of {score['total']} known mistakes are caught, "
            f"{score['told_apart']} have their own name; {found.proof.seconds:.1f} s"
        )
        for remark in found.proof.remarks:
            self.stdout.write(f"    {visible(remark, MAX_MESSAGE)}")
