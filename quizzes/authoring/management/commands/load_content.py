"""manage.py load_content PATH: check a course folder and load it, all or nothing."""

from collections.abc import Sequence
from typing import Any

from django.core.management.base import CommandError, CommandParser

from quizzes.authoring.course_files import CourseFiles
from quizzes.authoring.loading import Choice, FolderError, LoadReport, load
from quizzes.authoring.management.commands.check_content import (
    count_of_faults,
    read_and_tell,
    try_listings,
)
from quizzes.authoring.published_content import Name, published_names, without_standing_faults
from quizzes.content_files.characters import visible
from quizzes.content_files.problems import MAX_MESSAGE, ContentProblem
from quizzes.terminal import PlainCommand

CONFLICT = 3


class Command(PlainCommand):
    help = (
        "Check a course folder and load the changes since the last load, in one transaction."
        " The listings of new and changed lessons are run first."
        " Content that was also edited in the browser is left alone (exit 3) unless you choose"
        " --ours or --theirs. Exit 1: the files have errors and nothing was loaded."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("path", metavar="PATH", help="folder that holds course.yaml")
        who = parser.add_mutually_exclusive_group()
        who.add_argument("--ours", action="store_true", help="in a conflict, the files win")
        who.add_argument("--theirs", action="store_true", help="in a conflict, the database wins")

    def handle(self, *args: Any, path: str, ours: bool, theirs: bool, **options: Any) -> None:
        del args, options
        files, published = self._read(path)
        self._try_new_listings(path, files, published)
        choice = Choice.OURS if ours else Choice.THEIRS if theirs else Choice.NOBODY
        try:
            loaded = load(files, choice=choice)
        except FolderError as error:
            raise CommandError(visible(str(error), MAX_MESSAGE), returncode=1) from error
        self._report(path, loaded)

    def _read(self, path: str) -> tuple[CourseFiles, set[Name]]:
        """Return a course without faults that refuse it, and what of it is published as it is."""
        published: set[Name] = set()

        def sift(files: CourseFiles) -> tuple[CourseFiles, Sequence[ContentProblem]]:
            published.update(published_names(files))
            return without_standing_faults(files, published)

        files = read_and_tell(self, path, sift)
        if files.problems:
            raise CommandError(count_of_faults(len(files.problems), path), returncode=1)
        return files, published

    def _try_new_listings(self, path: str, files: CourseFiles, published: set[Name]) -> None:
        """Refuse listings that fail or print something else; those that are published stand."""
        lessons = files.sources["lesson"]
        new = [lesson for lesson in lessons if ("lesson", lesson.slug) not in published]
        if failing := try_listings(self, new):
            raise CommandError(f"{failing} of the listings in {path} fail", returncode=1)

    def _report(self, path: str, loaded: LoadReport) -> None:
        for what, counts in sorted(loaded.counts.items()):
            names = ", ".join(f"{kind} {number}" for kind, number in counts.items())
            self.stdout.write(f"{path}: {what}: {names}")
        for kind, slug in loaded.withdrawn:
            self.stdout.write(f"{path}: {kind} {slug!r} is withdrawn: it is no longer in the files")
        for work in loaded.in_class:
            self.stdout.write(f"{path}: {work}")
        for step in loaded.lost:
            self.stdout.write(f"{path}: warning: {step}")
        if not loaded.counts and not loaded.conflicts:
            self.stdout.write(f"{path}: nothing changed")
        for conflict in loaded.conflicts:
            self.stdout.write(str(conflict))
        if loaded.conflicts:
            count = len(loaded.conflicts)
            raise CommandError(
                f"{count} conflict{'s' * (count != 1)} between the files and the browser."
                " Choose --ours (the files win) or --theirs (the database wins).",
                returncode=CONFLICT,
            )
