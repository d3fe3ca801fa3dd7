"""manage.py export_content PATH: write questions and quizzes back to files."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from quizzes.authoring.exporting import export
from quizzes.terminal import PlainCommand


class Command(PlainCommand):
    help = (
        "Write the questions and quizzes that learners are asked into a course folder, in canonical"
        " form: those that were edited in the browser or have no file. Files with the same content"
        " stay as they are. Lessons and exercises are only written in files."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("path", metavar="PATH", help="course folder; made if it is missing")

    def handle(self, *args: Any, path: str, **options: Any) -> None:
        del args, options
        root = Path(path)
        try:
            root.mkdir(parents=True, exist_ok=True)
            written = export(root)
        except (OSError, ValueError) as error:
            raise CommandError(f"PATH={path}: cannot be written: {error}", returncode=2) from error
        for name in written:
            self.stdout.write(f"{path}/{name}")
        count = len(written)
        self.stdout.write(f"{path}: {count or 'no'} file{'s' * (count != 1)} written")
