"""manage.py new_course NAME: write a course that can be checked and loaded as it stands."""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError, CommandParser

from quizzes.authoring.skeletons import SkeletonError, write_course
from quizzes.content_files.characters import visible
from quizzes.terminal import PlainCommand


class Command(PlainCommand):
    help = (
        "Create a new course for its author to edit, with a lesson of two steps, a question, a"
        " quiz, an exercise and a concept map. The new course passes check_content as it is."
        " Nothing is overwritten, and no database is used."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", metavar="NAME", help="slug and folder, such as linear-algebra")
        parser.add_argument(
            "--in",
            dest="parent",
            metavar="FOLDER",
            help="folder in which to create the course folder; default: quizzes/content",
        )

    def handle(self, *args: Any, name: str, parent: str | None, **options: Any) -> None:
        del args, options
        try:
            course = write_course(Path(parent) if parent else settings.COURSE.parent, name)
        except SkeletonError as error:
            raise CommandError(visible(str(error)), returncode=2) from error
        here = Path.cwd()
        path = course.relative_to(here) if course.is_relative_to(here) else course
        self.stdout.write(visible(f"{path}: written. Next:"))
        for command in ("check_content", "load_content"):
            self.stdout.write(visible(f"    manage.py {command} {path}"))
