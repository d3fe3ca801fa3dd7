"""`manage.py grade <exercise> FILE...`: grade files without the web, in the same sandbox.

Needs neither a worker nor a database: the exercise is the one that learners meet, or, where the
database has none, that of a shipped course. Exit codes: 0 all graded, 1 some not graded because
something failed on our side, 2 usage, 3 no sandbox, so that nothing was graded.
"""

import io
import json
import logging
import os
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from django.conf import settings
from django.core.management.base import CommandError, CommandParser
from django.db import DatabaseError

from quizzes.content_files.course_folders import course_folders
from quizzes.content_files.fields import is_slug
from quizzes.content_files.files import DiskFiles
from quizzes.content_files.problems import ContentProblem
from quizzes.exercises.autograder import autograder_report
from quizzes.exercises.files import FOLDER
from quizzes.exercises.models import Exercise
from quizzes.exercises.models.submission import MAX_CHARACTERS, MAX_LEASES
from quizzes.exercises.queue import lanes
from quizzes.grader.api import (
    DefinitionError,
    MachineTooBusy,
    Sandbox,
    SandboxBroken,
    SandboxUnavailable,
    Stage,
    Verdict,
    clean,
    clean_line,
)
from quizzes.grader.definitions import (
    ExerciseDefinition,
    build_case_pack,
    read_definition,
    read_folder,
)
from quizzes.grader.judge import Report, ReportedFinding, grade_code
from quizzes.grader.sandbox import open_sandbox
from quizzes.terminal import PlainCommand
from quizzes.worker.background import new_seed, reported_cases

READ_BYTES = 1 << 20
logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class SubmittedFile:
    """`path` as it was given; `code`, or the report that says why there is none.

    What cannot be opened is the caller's mistake (OSError). What is in it is its author's: text
    that is not UTF-8 or too long gets a verdict of its own, so that one such file stops no class.
    """

    path: str
    code: str
    refusal: Report | None = None


def read_submitted_file(path: str) -> SubmittedFile:
    """Return the code in a file; raises OSError for what is no readable regular file."""
    if not stat.S_ISREG(Path(path).stat().st_mode):
        raise OSError("is not a regular file")
    with open(path, "rb") as file:
        data = file.read(READ_BYTES + 1)
    try:
        code = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        if len(data) <= READ_BYTES:
            line = data[: error.start].count(b"\n") + 1
            message = f"line {line} is not UTF-8 text: byte 0x{data[error.start]:02x}"
            return SubmittedFile(path, "", _refusal(Verdict.COULD_NOT_RUN, Stage.IMPORTS, message))
        code = ""
    code = code.replace("\r\n", "\n").replace("\r", "\n")
    if len(code) > MAX_CHARACTERS or len(data) > READ_BYTES:
        message = f"the file has more than {MAX_CHARACTERS} characters"
        return SubmittedFile(path, "", _refusal(Verdict.LIMIT_REACHED, Stage.LIMIT, message))
    return SubmittedFile(path, code)


def _refusal(verdict: Verdict, stage: Stage, message: str) -> Report:
    limit = "size" if stage is Stage.LIMIT else None
    return Report(verdict, first_fault=ReportedFinding(stage, None, message), limit=limit)


class UnknownExercise(Exception):  # noqa: N818
    """No exercise has this name, or several courses have one; the text says which there are."""


def find_definition(name: str) -> ExerciseDefinition:
    """Return the exercise that `SLUG` or `COURSE/SLUG` names: the version that learners meet.

    Where the database has none, a shipped course's files are read. Raises UnknownExercise.
    """
    course, slash, slug = name.rpartition("/")
    found = {**_shipped(slug), **_stored(slug)}
    if slash:
        found = {one: definition for one, definition in found.items() if one == course}
    if not found:
        raise UnknownExercise(f"There is no exercise {name!r}. The exercises here are: {_known()}.")
    if len(found) > 1:
        names = " or ".join(f"{one}/{slug}" for one in sorted(found))
        words = f"{len(found)} courses have an exercise {slug!r}. Name one: {names}."
        raise UnknownExercise(words)
    (definition,) = found.values()
    return definition()


Reader = Callable[[], ExerciseDefinition]


def _stored(slug: str) -> dict[str, Reader]:
    """Return readers of the stored exercises of this name, by course."""
    met = Exercise.objects.filter(slug=slug, current__isnull=False, withdrawn_at=None)
    try:
        rows = list(met.select_related("current", "course"))
    except DatabaseError:
        return {}  # no database here, or an empty one: the files of a course need none
    return {row.course.slug: partial(_definition_of, row) for row in rows}


def _definition_of(exercise: Exercise) -> ExerciseDefinition:
    assert exercise.current is not None
    if exercise.current.verification == "refused":
        words = f"failed its own verification: {'; '.join(exercise.current.problems)}"
        raise DefinitionError([ContentProblem(exercise.slug, 1, words)])
    return read_definition(exercise.slug, exercise.current.files)


def _shipped(slug: str) -> dict[str, Reader]:
    """Return readers of the exercises of this name in shipped courses, by course."""
    if not is_slug(slug):
        return {}
    folders = {course: course / FOLDER / slug for course in course_folders(settings.COURSE)}
    return {
        course.name: partial(_read, folder, course)
        for course, folder in folders.items()
        if folder.is_dir()
    }


def _read(folder: Path, course: Path) -> ExerciseDefinition:
    return read_definition(folder.name, read_folder(DiskFiles(course), f"{FOLDER}/{folder.name}"))


def _known() -> str:
    """Say which exercises there are, course by course, so that a slip of the keyboard is seen."""
    names: dict[str, set[str]] = {}
    for course in course_folders(settings.COURSE):
        names[course.name] = {path.name for path in (course / FOLDER).glob("*/")}
    with suppress(DatabaseError):
        met = Exercise.objects.filter(current__isnull=False, withdrawn_at=None)
        for stored, slug in met.values_list("course__slug", "slug"):
            names.setdefault(stored, set()).add(slug)
    told = [f"{course}: {', '.join(sorted(slugs))}" for course, slugs in sorted(names.items())]
    return "; ".join(told) or "none"


class Grader:
    """One pack of fresh cases and one sandbox, opened again should it break."""

    def __init__(self, definition: ExerciseDefinition) -> None:
        self._definition = definition
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        with open_sandbox("author") as author:
            self._pack = build_case_pack(self._definition, author, seed=new_seed())
        self._cases = len(reported_cases(self._pack))
        self._sandbox: Sandbox | None = self._open()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._stack.close()

    def grade(self, file: SubmittedFile) -> Report:
        """Return the report of one file: not_graded when our side failed as often as it may."""
        if file.refusal is not None:
            return replace(file.refusal, cases_total=self._cases)
        for _ in range(MAX_LEASES):
            try:
                self._sandbox = self._sandbox or self._open()
                return self._grade_twice(file.code, self._sandbox)
            except MachineTooBusy as error:
                logger.error("%r: %s", file.path, error)
            except (SandboxBroken, SandboxUnavailable) as error:
                logger.error("%r: %s", file.path, error)
                self._sandbox = None
            except Exception:
                logger.exception("%r could not be judged", file.path)
        return Report(Verdict.NOT_GRADED)

    def _grade_twice(self, code: str, sandbox: Sandbox) -> Report:
        """Return the report of the quick run, or of a second one, as the site's lanes do."""
        if lanes.has_lanes(self._pack):
            report = grade_code(lanes.quick(self._pack), code, sandbox)
            if not lanes.was_cut_short(report):
                return report
        return grade_code(self._pack, code, sandbox)

    def _open(self) -> Sandbox:
        self._stack.close()
        return self._stack.enter_context(open_sandbox("student"))


SOME_NOT_GRADED, USAGE, NO_SANDBOX = 1, 2, 3
MAX_SENTENCE = 4000  # characters of a sentence


class Command(PlainCommand):
    help = (
        "Grade code files for one exercise, in the order given. Exit code 0: all were graded, "
        "1: some were not, 2: wrong usage, 3: no sandbox is available here."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "exercise",
            metavar="EXERCISE",
            help="its slug, such as sinusoidal-table; COURSE/SLUG where two courses have one",
        )
        parser.add_argument("files", metavar="FILE", nargs="+")
        form = parser.add_mutually_exclusive_group()
        form.add_argument(
            "--json", action="store_true", help="a line with one JSON object for each file"
        )
        form.add_argument(
            "--autograder",
            action="store_true",
            help="the same with score, tests, output and images, as autograders write it",
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        if isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(encoding="utf-8", errors="replace")
        try:
            definition = find_definition(options["exercise"])
            exercise = definition.slug
            files = list(self._read(options["files"]))
            with Grader(definition) as grader:
                graded = [self._tell(exercise, file, grader.grade(file), options) for file in files]
        except (UnknownExercise, DefinitionError) as error:
            raise CommandError(str(error), returncode=USAGE) from error
        except SandboxUnavailable as error:
            raise CommandError(f"Nothing was graded. {error}", returncode=NO_SANDBOX) from error
        except BrokenPipeError:
            # The reader of our output went away; Python would complain once more at its end.
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
    yield f"{shown}: {report.headline}{counted if report.cases_total else ''}"
    for mistake in (report.known_mistake, report.second_mistake):
        if mistake:
            yield f"  {mistake.slug}: {clean(mistake.sentence, MAX_SENTENCE)}"
    if report.first_fault:
        fault = report.first_fault
        where = f" in case {fault.case!r}" if fault.case else ""
        yield f"  first fault ({fault.stage.value}){where}: {fault.message}"
    if report.smallest_failing and report.smallest_failing.call:
        failing = report.smallest_failing
        if failing.before:
            yield f"  called before: {failing.before}"
        yield f"  {failing.call}"
        yield from _indented("expected", failing.expected_text)
        yield from _indented("got", failing.got_text)
    yield from _indented("your code's traceback", report.traceback)
    yield from _indented("printed", report.stdout)


def _indented(head: str, text: str) -> Iterator[str]:
    if text.strip():
        yield f"  {head}:"
        yield from (f"    {line}" for line in text.rstrip().splitlines())
