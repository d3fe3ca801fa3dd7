"""`manage.py restore FILE`: put a copy made by `backup` in the place of the database."""

from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import CommandError, CommandParser
from django.db import connection

from quizzes.exercises.models import WorkerHeartbeat
from quizzes.exercises.services import grading_state
from quizzes.operations.copies import copies_of_engine
from quizzes.operations.copy_file import CopyError
from quizzes.terminal import PlainCommand


def a_worker_runs() -> bool:
    """Return whether a worker uses this database; on a new machine it has no tables yet."""
    is_new = WorkerHeartbeat._meta.db_table not in connection.introspection.table_names()
    return not is_new and grading_state().on


class Command(PlainCommand):
    help = "Replace the database with a copy made by `backup`. Stop the site first."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="a file that `backup` wrote")
        parser.add_argument(
            "--yes",
            action="store_true",
            help="replace the database instead of only checking the copy",
        )

    def handle(self, *_args: Any, file: Path, yes: bool, **_options: Any) -> None:
        copies = copies_of_engine()
        try:
            migrations = copies.check_copy(file)
            self.stdout.write(f"{file}: complete, with {migrations} migrations")
            if not yes:
                self.stdout.write("nothing was changed; --yes replaces the database with it")
                return
            if a_worker_runs():
                raise CommandError("a worker is running: stop the site first")
            kept = copies.put_back(file)
        except CopyError as refused:
            raise CommandError(str(refused)) from refused
        self.stdout.write(f"restored; the previous database is in {kept}")
        call_command("migrate", interactive=False, verbosity=0)
