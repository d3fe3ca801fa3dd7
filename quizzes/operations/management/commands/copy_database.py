"""`manage.py copy_database SOURCE`: from SQLite to the PostgreSQL that DATABASE_URL names."""

from typing import Any

from django.core.management import call_command
from django.core.management.base import CommandError, CommandParser

from quizzes.exercises.queue.engine import engine
from quizzes.operations.database_copy import DatabaseCopyError, copy_database, source_database
from quizzes.terminal import PlainCommand


class Command(PlainCommand):
    help = (
        "Copy a whole site, including its learners, from an SQLite database into the new PostgreSQL"
        " database that DATABASE_URL names. Either everything is copied or nothing. Stop the site"
        " first."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("source", help="such as sqlite:////srv/ordinal/var/ordinal.sqlite3")

    def handle(self, *_args: Any, source: str, **_options: Any) -> None:
        try:
            with source_database(source):
                call_command("migrate", interactive=False, verbosity=0)
                found = copy_database(source, self.stdout.write)
        except DatabaseCopyError as refused:
            raise CommandError(str(refused)) from refused
        waiting = engine().put_missing()
        self.stdout.write(f"{found} rows copied; {waiting} submissions are waiting for a worker")
