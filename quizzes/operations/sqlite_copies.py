"""Copies of an SQLite database: made while the site runs, checked before they are put back."""

import sqlite3
from contextlib import closing
from pathlib import Path

from django.db import connection
from django.utils import timezone

from quizzes.operations.copy_file import CopyError, new_copy


def database_file() -> Path:
    """Return the file of the site's database; refuses one in memory."""
    name = str(connection.settings_dict["NAME"])
    if ":memory:" in name or "mode=memory" in name:
        raise CopyError(f"the database {name} is not a file")
    return Path(name)


def write_copy(target: Path) -> int:
    """Write the database as it is now to the new file `target`; return its size in bytes."""
    database_file()
    with new_copy(target), connection.cursor() as cursor:
        cursor.execute("VACUUM INTO %s", [str(target)])
    return target.stat().st_size


def check_copy(source: Path) -> int:
    """Return how many migrations the copy has; refuses a file that is no whole copy of a site."""
    if not source.is_file():
        raise CopyError(f"{source}: no such file")
    try:
        with closing(sqlite3.connect(f"{source.resolve().as_uri()}?mode=ro", uri=True)) as copy:
            said = copy.execute("PRAGMA integrity_check").fetchone()[0]
            if said != "ok":
                raise CopyError(f"{source}: damaged: {said}")
            return int(copy.execute("SELECT count(*) FROM django_migrations").fetchone()[0])
    except sqlite3.Error as error:
        raise CopyError(f"{source}: not a copy of Ordinal's database ({error})") from error


def put_back(source: Path) -> Path:
    """Make the database equal to the copy; return the path of the replaced database.

    SQLite's own backup writes in one transaction: if it is killed half-way, the old content stays.
    """
    check_copy(source)
    database = database_file()
    # A name of its own: a second restore, of another file, must not take away what was there first.
    kept = database.with_name(f"{database.name}.before-restore-{timezone.now():%Y%m%dT%H%M%S%f}")
    write_copy(kept)
    connection.close()
    with (
        closing(sqlite3.connect(source)) as copy,
        closing(sqlite3.connect(database, timeout=5)) as live,
    ):
        copy.backup(live)
    return kept
