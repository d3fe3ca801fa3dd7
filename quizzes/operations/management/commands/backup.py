"""`manage.py backup FILE`: write a whole copy of the database, while the site runs."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from quizzes.operations.copies import copies_of_engine
from quizzes.operations.copy_file import CopyError
from quizzes.terminal import PlainCommand


class Command(PlainCommand):
    help = "Write a complete copy of the database to a new file. The site can keep running."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="a new file, such as 2026-01-31.copy")

    def handle(self, *_args: Any, file: Path, **_options: Any) -> None:
        try:
            size = copies_of_engine().write_copy(file)
        except CopyError as refused:
            raise CommandError(str(refused)) from refused
        self.stdout.write(f"{file}: {size} bytes")
