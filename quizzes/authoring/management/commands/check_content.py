"""manage.py check_content PATH: every fault of a course folder, with its file and line."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from quizzes.assessment.trying import generator_faults
from quizzes.authoring.course_files import CourseFiles, read_course_files
from quizzes.authoring.exporting import canonical_files, put
from quizzes.content_files.characters import visible
from quizzes.exercises.proving import prove_exercises
from quizzes.grader.errors import MAX_MESSAGE, SandboxBroken, SandboxUnavailable
from quizzes.terminal.commands import PlainCommand


def read_or_refuse(command: BaseCommand, path: str) -> CourseFiles:
    """Return a course without faults; print every fault otherwise. Raises CommandError."""
    root = Path(path)
    if not root.is_dir():
        raise CommandError(f"PATH={visible(path)}: must be a course folder", returncode=2)
    files = read_course_files(root)
    for fault in files.faults:
        command.stdout.write(str(fault))
    if files.faults:
        count = len(files.faults)
        raise CommandError(f"{count} fault{'s' * (count != 1)} in {path}", returncode=1)
    return files


class Command(PlainCommand):
    help = (
        "Check a course folder: print the file and line of every fault, everything that keeps an"
        " exercise from proving itself, and what generate.py files do wrong in the author sandbox."
        " Lines that begin with `warning:` are to be looked at and fail nothing. Touches no"
        " database."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("path", metavar="PATH", help="folder that holds course.yaml")
        parser.add_argument(
            "--format",
            action="store_true",
            help="write questions and quizzes in canonical form (comments in them are lost)",
        )

        parser.add_argument(
            "--without-proofs",
            action="store_true",
            help="do not run the exercises, which takes a second or some for each",
        )

    def handle(self, *args: Any, path: str, **options: Any) -> None:
        del args
        files = read_or_refuse(self, path)
        if options["format"]:
            self._format(files, path)
        unproved: list[str] = []
        if not options["without_proofs"]:
            unproved = self._prove_exercises(files)
        failing = self._try_generators(files, unproved)
        wrong = []
        if unproved:
            wrong.append(f"{len(unproved)} of the exercises in {path} do not prove themselves")
        if failing:
            wrong.append(f"{failing} of the generators in {path} fail")
        if wrong:
            raise CommandError("; ".join(wrong), returncode=1)
        self.stdout.write(f"{path}: {files.counted()}; no faults")

    def _format(self, files: CourseFiles, path: str) -> None:
        for name, text in canonical_files(files):
            if put(Path(path), name, text):
                self.stdout.write(f"{path}/{name}: formatted")

    def _prove_exercises(self, files: CourseFiles) -> list[str]:
        """Print what running the exercises shows; return the slugs of those with problems."""
        unproved = []
        try:
            for proved in prove_exercises(files.sources["exercise"]):
                for problem in proved.problems:
                    self.stdout.write(visible(problem, MAX_MESSAGE))
                for remark in proved.remarks:
                    self.stdout.write(visible(f"warning: {remark}", MAX_MESSAGE))
                if proved.problems:
                    unproved.append(proved.slug)
        except (SandboxUnavailable, SandboxBroken) as error:
            self.stdout.write(f"not all exercises were run: {error}")
        return unproved

    def _try_generators(self, files: CourseFiles, unproved: list[str]) -> int:
        """Print the generators' faults, after those of exercises they call; return how many."""
        try:
            faults = generator_faults(files.sources["question"], unproved)
        except (SandboxUnavailable, SandboxBroken) as error:
            self.stdout.write(f"generate.py files were not tried: {error}")
            return 0
        for fault in faults:
            self.stdout.write(str(fault))
        return len(faults)
