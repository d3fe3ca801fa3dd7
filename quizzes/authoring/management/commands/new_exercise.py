"""manage.py new_exercise COURSE NAME: write an exercise that passes its verification."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from quizzes.authoring.skeletons import SkeletonError, write_exercise
from quizzes.content_files.characters import visible
from quizzes.terminal import PlainCommand


class Command(PlainCommand):
    help = (
        "Create a new exercise in a course folder for its author to edit, with a statement, a"
        " starter, a reference, cases and two known mistakes. The new exercise passes"
        " verify_exercise as it is. Nothing is overwritten, and no database is used."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("course", metavar="COURSE", help="folder that holds course.yaml")
        parser.add_argument("name", metavar="NAME", help="slug and folder, such as matrix-product")

    def handle(self, *args: Any, course: str, name: str, **options: Any) -> None:
        del args, options
        try:
            folder = write_exercise(Path(course), name)
        except SkeletonError as error:
            raise CommandError(visible(str(error)), returncode=2) from error
        self.stdout.write(visible(f"{folder}: written. Next:"))
        self.stdout.write(visible(f"    manage.py verify_exercise {course} {name}"))
