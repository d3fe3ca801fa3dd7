"""manage.py check_content PATH: every fault of a course folder, with its file and line."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.timezone import localdate

from quizzes.assessment.option_lengths import course_remarks
from quizzes.authoring.canonical_form import canonical_files
from quizzes.authoring.course_files import CourseFiles, read_course_files
from quizzes.authoring.course_path import course_path
from quizzes.authoring.exporting import put
from quizzes.authoring.plain_english import english_remarks
from quizzes.content_files.characters import visible
from quizzes.content_files.files import DiskFiles
from quizzes.content_files.problems import MAX_MESSAGE, ContentProblem
from quizzes.grader.api import SandboxBroken, SandboxUnavailable
from quizzes.lessons.lesson_files import LessonSource
from quizzes.terminal import PlainCommand
from quizzes.worker.check_course import (
    can_run,
    check_exercises,
    check_generators,
    check_listings,
    check_plots,
    listings_of,
)


def read_and_tell(
    command: BaseCommand,
    path: str,
    sift: Callable[[CourseFiles], tuple[CourseFiles, Iterable[ContentProblem]]] = lambda files: (
        files,
        (),
    ),
) -> CourseFiles:
    """Return a course with every fault of its files and every remark printed.

    `sift` takes out the faults that are only warnings. Raises CommandError.
    """
    root = Path(path)
    if not root.is_dir():
        raise CommandError(f"PATH={visible(path)}: must be a course folder", returncode=2)
    files, warnings = sift(read_course_files(DiskFiles(root)))
    for problem in files.problems:
        command.stdout.write(str(problem))
    for problem in warnings:
        command.stdout.write(visible(f"warning: {problem}", MAX_MESSAGE))
    for remark in course_remarks(files.sound("question"), files.sources["quiz"]):
        command.stdout.write(visible(f"warning: {remark}", MAX_MESSAGE))
    return files


def read_or_refuse(command: BaseCommand, path: str) -> CourseFiles:
    """Return a course without faults; print every fault otherwise. Raises CommandError."""
    files = read_and_tell(command, path)
    if files.problems:
        raise CommandError(count_of_faults(len(files.problems), path), returncode=1)
    return files


def count_of_faults(count: int, path: str) -> str:
    return f"{count} error{'s' * (count != 1)} in {path}"


def try_listings(command: BaseCommand, lessons: Sequence[LessonSource]) -> int:
    """Run the listings of these lessons; print their faults and return how many there are.

    Where they cannot be run here, say so.
    """
    left_out = [block for block in listings_of(lessons) if not can_run(block)]
    if left_out:
        command.stdout.write(f"{len(left_out)} listings were not run: torch is not installed here")
    count = 0
    try:
        for problem in check_listings(lessons):
            command.stdout.write(str(problem))
            count += 1
    except (SandboxUnavailable, SandboxBroken) as error:
        command.stdout.write(f"not all listings were run: {error}")
    return count


class Command(PlainCommand):
    help = (
        "Check a course folder. The output shows the file and line of every error, the reasons why"
        " exercises fail verification, the errors that generate.py files raise in the author"
        " sandbox, the errors of plots, and the listings whose output differs from what the page"
        " shows. Lines that begin with `warning:` deserve a look, but the check still passes. No"
        " database is used."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("path", metavar="PATH", help="folder that holds course.yaml")
        parser.add_argument(
            "--format",
            action="store_true",
            help="write course, lesson.yaml, questions, quizzes and map in canonical form"
            " (comments in them are lost)",
        )

        parser.add_argument(
            "--path",
            action="store_true",
            dest="as_path",
            help=(
                "only print, for each screen of the course, how many words it has and what there "
                "is to do"
            ),
        )
        parser.add_argument(
            "--plain-english",
            action="store_true",
            help="also warn about phrases that a native writer of English would not use",
        )
        parser.add_argument(
            "--without-proofs",
            action="store_true",
            help="do not run exercises, plots and listings; an exercise takes a few seconds",
        )

    def handle(self, *args: Any, path: str, **options: Any) -> None:
        del args
        if options["as_path"]:
            for line in course_path(read_or_refuse(self, path)):
                self.stdout.write(line)
            return
        quick = options["without_proofs"]
        # Faults of files hide nothing that running shows: what can be read is run all the same. A
        # quick look ends with them.
        files = read_or_refuse(self, path) if quick else read_and_tell(self, path)
        for remark in files.remarks(localdate()):
            self.stdout.write(f"warning: {remark}")
        if options["plain_english"]:
            for phrase in english_remarks(Path(path)):
                self.stdout.write(visible(f"warning: {phrase}", MAX_MESSAGE))
        if options["format"] and not files.problems:
            self._format(files, path)
        failing_exercises = [] if quick else self._check_exercises(files)
        failing = self._try_generators(files, failing_exercises)
        failing_plots = 0 if quick else self._try_plots(files)
        failing_listings = 0 if quick else try_listings(self, files.sources["lesson"])
        wrong = [count_of_faults(len(files.problems), path)] if files.problems else []
        if failing_exercises:
            wrong.append(f"{len(failing_exercises)} of the exercises in {path} fail verification")
        if failing:
            wrong.append(f"{failing} of the generators in {path} fail")
        if failing_plots:
            wrong.append(f"{failing_plots} of the plots in {path} fail")
        if failing_listings:
            wrong.append(f"{failing_listings} of the listings in {path} fail")
        if wrong:
            raise CommandError("; ".join(wrong), returncode=1)
        self.stdout.write(f"{path}: {files.counted()}; no errors")

    def _format(self, files: CourseFiles, path: str) -> None:
        for name, text in canonical_files(files):
            if put(Path(path), name, text):
                self.stdout.write(f"{path}/{name}: formatted")

    def _check_exercises(self, files: CourseFiles) -> list[str]:
        """Run the exercises, print the findings, and return the slugs of those with problems."""
        failing_exercises = []
        try:
            for checked in check_exercises(files.sources["exercise"]):
                for problem in checked.problems:
                    self.stdout.write(visible(problem, MAX_MESSAGE))
                for remark in checked.remarks:
                    self.stdout.write(visible(f"warning: {remark}", MAX_MESSAGE))
                if checked.problems:
                    failing_exercises.append(checked.slug)
        except (SandboxUnavailable, SandboxBroken) as error:
            self.stdout.write(f"not all exercises were run: {error}")
        return failing_exercises

    def _try_generators(self, files: CourseFiles, failing_exercises: list[str]) -> int:
        """Print the faults of generators whose exercise, if any, is sound; return their number.

        What a generator says of an exercise with a fault is most often that fault once more.
        """
        usable = {one.slug for one in files.sources["exercise"]}.difference(failing_exercises)
        questions = [
            one
            for one in files.sound("question")
            if "exercise" not in one.generator or one.generator["exercise"] in usable
        ]
        try:
            problems = check_generators(questions)
        except (SandboxUnavailable, SandboxBroken) as error:
            self.stdout.write(f"generate.py files were not tried: {error}")
            return 0
        for problem in problems:
            self.stdout.write(str(problem))
        return len(problems)

    def _try_plots(self, files: CourseFiles) -> int:
        """Draw the plots whose files have no fault, print what is wrong, and return how many."""
        spoilt = {problem.path for problem in files.problems}
        count = 0
        try:
            for problem in check_plots(
                plot for plot in files.sources["plot"] if plot.path not in spoilt
            ):
                self.stdout.write(str(problem))
                count += 1
        except (SandboxUnavailable, SandboxBroken) as error:
            self.stdout.write(f"not all plots were drawn: {error}")
        return count
