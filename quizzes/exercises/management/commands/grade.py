"""`manage.py grade <exercise> FILE...`: grade files without the web, in the same sandbox.

Needs neither a worker nor a database: the exercise is the one that learners meet, or, where the
database has none, the shipped course's. Exit codes: 0 all graded, 1 some not graded because
something failed on our side, 2 usage, 3 no sandbox, so that nothing was graded.
"""

import io
import json
import os
import sys
from collections.abc import Iterator
from typing import Any

from django.core.management.base import CommandError, CommandParser

from quizzes.exercises.autograder import autograder_report
from quizzes.exercises.grading import Grader, UnknownExercise, find_definition
from quizzes.exercises.submitted_file import SubmittedFile, read_submitted_file
from quizzes.grader.cleaning import clean, clean_line
from quizzes.grader.errors import DefinitionError, SandboxUnavailable
from quizzes.grader.report import Report, Verdict
from quizzes.terminal.commands import PlainCommand

SOME_NOT_GRADED, USAGE, NO_SANDBOX = 1, 2, 3
MAX_SENTENCE = 4000  # characters of a sentence


class Command(PlainCommand):
    help = (
        "Grade files with code for one exercise, in the order given. Exit code 0: all graded, "
        "1: some were not, 2: wrong usage, 3: no sandbox can be had here."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("exercise", help="the exercise's slug, such as sinusoidal-table")
        parser.add_argument("files", metavar="FILE", nargs="+")
        form = parser.add_mutually_exclusive_group()
        form.add_argument("--json", action="store_true", help="one JSON object a line and file")
        form.add_argument(
            "--autograder",
            action="store_true",
            help="the same with score, tests, output and images, as autograders write it",
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        exercise = options["exercise"]
        if isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(encoding="utf-8", errors="replace")
        try:
            definition = find_definition(exercise)
            files = list(self._read(options["files"]))
            with Grader(definition) as grader:
                graded = [self._tell(exercise, file, grader.grade(file), options) for file in files]
        except (UnknownExercise, DefinitionError) as error:
            raise CommandError(str(error), returncode=USAGE) from error
        except SandboxUnavailable as error:
            raise CommandError(f"Nothing was graded. {error}", returncode=NO_SANDBOX) from error
        except BrokenPipeError:
            # Whoever read our output went away; Python would complain once more at its end.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(SOME_NOT_GRADED)
        if not all(graded):
            raise CommandError(
                "Some files were not graded: something failed on our side.",
                returncode=SOME_NOT_GRADED,
            )

    def _read(self, paths: list[str]) -> Iterator[SubmittedFile]:
        """Yield every file's code; the first that cannot be read ends the command."""
        for path in paths:
            try:
                yield read_submitted_file(path)
            except OSError as error:
                reason = error.strerror or str(error)
                raise CommandError(f"{named(path)}: {reason}", returncode=USAGE) from error
            except ValueError as error:
                raise CommandError(f"{path!r}: {error}", returncode=USAGE) from error

    def _tell(
        self, exercise: str, file: SubmittedFile, report: Report, options: dict[str, Any]
    ) -> bool:
        """Print one file's result at once; return whether it was graded."""
        if options["json"]:
            self.stdout.write(json.dumps(as_plain(exercise, file.path, report)))
        elif options["autograder"]:
            arrays = report.picture.to_bytes() if report.picture else None
            shown = printable(file.path)
            self.stdout.write(
                json.dumps(autograder_report(report, exercise=exercise, arrays=arrays, file=shown))
            )
        else:
            self.stdout.write("\n".join(in_words(file.path, report)) + "\n")
        self.stdout.flush()
        return report.verdict is not Verdict.NOT_GRADED


def printable(path: str) -> str:
    """Return a file's name as text, whatever bytes it has."""
    return path.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def named(path: str) -> str:
    """Return a file's name for a terminal: students name files, and a name can hold anything."""
    return clean_line(printable(path)) or repr(path)


def as_plain(exercise: str, path: str, report: Report) -> dict[str, Any]:
    """Return the object that `--json` prints for one file."""
    return {
        "file": printable(path),
        "exercise": exercise,
        "verdict": report.verdict.value,
        "known_mistake": report.known_mistake.slug if report.known_mistake else None,
        "first_fault": report.first_fault.as_json() if report.first_fault else None,
        "cases_passed": report.cases_passed,
        "cases_total": report.cases_total,
        "seconds": round(report.seconds, 6),
        "stdout": report.stdout,
    }


def in_words(path: str, report: Report) -> Iterator[str]:
    """Yield the lines that tell a person about one file, harmless on a terminal."""
    shown = named(path)
    counted = f", {report.cases_passed} of {report.cases_total} cases passed"
    yield f"{shown}: {report.verdict.label}{counted if report.cases_total else ''}"
    if report.known_mistake:
        sentence = clean(report.known_mistake.sentence, MAX_SENTENCE)
        yield f"  {report.known_mistake.slug}: {sentence}"
    if report.first_fault:
        fault = report.first_fault
        where = f" in case {fault.case!r}" if fault.case else ""
        yield f"  first fault ({fault.rung.value}){where}: {fault.message}"
    if report.smallest_failing and report.smallest_failing.call:
        failing = report.smallest_failing
        yield f"  {failing.call}"
        yield from _indented("expected", failing.expected_text)
        yield from _indented("got", failing.got_text)
    yield from _indented("your code's traceback", report.traceback)
    yield from _indented("printed", report.stdout)


def _indented(head: str, text: str) -> Iterator[str]:
    if text.strip():
        yield f"  {head}:"
        yield from (f"    {line}" for line in text.rstrip().splitlines())
