"""manage.py verify_exercise PATH [SLUG ...]: exercises of a course folder are verified."""

import json
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from quizzes.content_files.characters import visible
from quizzes.content_files.files import DiskFiles
from quizzes.content_files.problems import MAX_MESSAGE
from quizzes.exercises.files import FOLDER
from quizzes.grader.api import (
    DefinitionError,
    Sandbox,
    SandboxBroken,
    SandboxUnavailable,
)
from quizzes.grader.definitions import Verification, check_folder, read_definition, verify
from quizzes.grader.sandbox import open_sandbox
from quizzes.terminal import PlainCommand

OFF = 3


class Command(PlainCommand):
    help = (
        "Run the reference, the starter and every known-wrong variant of the exercises in a course "
        "folder, as a worker does before it publishes an exercise. Exit code 0: all exercises "
        "passed, 1: some did not, 3: no sandbox is available here. No database is used."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("path", metavar="PATH", help="folder that holds course.yaml")
        parser.add_argument("slugs", metavar="SLUG", nargs="*", help="verify only these exercises")
        parser.add_argument("--json", action="store_true", help="print each report as a JSON line")

    def handle(self, *_args: Any, path: str, slugs: list[str], **options: Any) -> None:
        folder = Path(path) / FOLDER
        wanted = slugs or sorted(found.parent.name for found in folder.glob("*/exercise.yaml"))
        if not wanted:
            raise CommandError(f"PATH={visible(path)}: holds no exercise", returncode=2)
        try:
            with open_sandbox("author") as author, open_sandbox("student") as student:
                failed = sum(
                    not self._verify(folder / slug, author, student, as_json=options["json"])
                    for slug in wanted
                )
        except (SandboxUnavailable, SandboxBroken) as error:
            raise CommandError(str(error), returncode=OFF) from error
        if failed:
            raise CommandError(f"{failed} of {len(wanted)} exercises fail", returncode=1)

    def _verify(self, folder: Path, author: Sandbox, student: Sandbox, *, as_json: bool) -> bool:
        files, problems = check_folder(DiskFiles(folder.parent.parent), f"{FOLDER}/{folder.name}")
        if not problems:
            try:
                found = verify(read_definition(folder.name, files), author, student)
            except DefinitionError as error:
                problems = list(error.problems)
        if problems:
            for problem in problems:
                self.stderr.write(f"{folder.name}: {problem}")
            return False
        for reason in found.problems:
            self.stderr.write(visible(f"{folder.name}: {reason}", MAX_MESSAGE))
        if as_json:
            self.stdout.write(json.dumps(found.proof.as_json()))
        else:
            self._tell(folder.name, found)
        return found.ok

    def _tell(self, slug: str, verification: Verification) -> None:
        score = verification.proof.score
        self.stdout.write(
            f"{slug}: {score['caught']} of {score['total']} known mistakes are caught, "
            f"and {score['told_apart']} are named correctly; {verification.proof.seconds:.1f} s"
        )
        clauses = verification.proof.clauses
        alone = sum(bool(clause.broken_by) for clause in clauses)
        excused = sum(bool(clause.waiver) for clause in clauses)
        self.stdout.write(
            f"    Of the statement's {len(clauses)} clauses, {alone} have a known mistake that "
            f"breaks only that clause, and {excused} have a reason why there is none."
        )
        pairs = verification.proof.pairs
        if pairs:
            isolated = sum(pair.isolated for pair in pairs)
            self.stdout.write(
                f"    For {isolated} of {len(pairs)} pairs of mistakes, both are named when the "
                "same code makes both; --json lists the pairs."
            )
        for remark in verification.proof.remarks:
            self.stdout.write(f"    {visible(remark, MAX_MESSAGE)}")
