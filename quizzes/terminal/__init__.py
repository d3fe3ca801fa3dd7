"""What every command of this site has in common: only visible text reaches the terminal.

A command quotes authors' files and code, students' code, and the names of files. Cleaning at each
`write` would be forgotten at the next `write`, and Django itself writes `CommandError`. So the
streams clean: all output goes through them. Colours are added after the cleaning and stay.
"""

from collections.abc import Callable
from typing import Any

from django.core.management.base import BaseCommand, CommandError, OutputWrapper
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor

from quizzes.content_files.characters import visible_lines


class PlainOutput(OutputWrapper):
    """A stream that writes an invisible character as its number."""

    def __init__(self, out: OutputWrapper) -> None:
        out.ending = ""  # it would add a second one
        super().__init__(out)  # type: ignore[arg-type]  # has all that a stream has

    def write(  # type: ignore[override]  # as Django has it
        self,
        msg: str = "",
        style_func: Callable[[str], str] | None = None,
        ending: str | None = None,
    ) -> None:
        super().write(visible_lines(msg), style_func, ending)


class PlainCommand(BaseCommand):
    """A command whose streams show invisible characters, also after the streams are replaced.

    It says in one line that a database is not migrated, where it fails because of that.
    """

    def execute(self, *args: Any, **options: Any) -> str | None:
        # Asked only after a failure: most commands never touch the database, or find it up to date.
        try:
            return super().execute(*args, **options)
        except DatabaseError as error:
            if not _is_behind():
                raise
            words = "the database is not that of this release: run `manage.py migrate` first"
            raise CommandError(words, returncode=2) from error

    def __setattr__(self, name: str, value: Any) -> None:
        if name in ("stdout", "stderr") and not isinstance(value, PlainOutput):
            value = PlainOutput(value)
        super().__setattr__(name, value)


def _is_behind() -> bool:
    """Say whether the database can be read and has migrations to go."""
    try:
        executor = MigrationExecutor(connection)
    except DatabaseError:
        return False
    return bool(executor.migration_plan(executor.loader.graph.leaf_nodes()))
