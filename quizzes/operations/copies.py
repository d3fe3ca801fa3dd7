"""Copies of the site's database, on either engine: written while it runs, checked, put back."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

from django.db import DatabaseError, connection


class CopyRefused(Exception):  # noqa: N818 -- an answer, with its reason
    """The database or the file cannot be copied."""


class Copies(Protocol):
    """What each engine knows about its copies: `sqlite_copies`, `postgresql_copies`."""

    def write_copy(self, target: Path) -> int:
        """Write the database as it is now to the new file `target`; return its size in bytes."""

    def check_copy(self, source: Path) -> int:
        """Return how many migrations the copy has; refuses a file that is no whole copy."""

    def put_back(self, source: Path) -> Path:
        """Make the database equal to the copy; return a copy of what was there before."""


def copies_of_engine() -> Copies:
    """Return what writes and reads the copies of this site's database."""
    from quizzes.operations import postgresql_copies, sqlite_copies

    return postgresql_copies if connection.vendor == "postgresql" else sqlite_copies


@contextmanager
def new_copy(target: Path) -> Iterator[None]:
    """Have `target` filled within; it is a whole copy afterwards, or is not there.

    Raises CopyRefused for a file that exists or cannot be made, and for what the engine refuses.
    """
    if target.exists():
        raise CopyRefused(f"{target}: exists already; a backup never overwrites")
    if not target.parent.is_dir():
        raise CopyRefused(f"{target}: there is no folder {target.parent}")
    is_made = False
    try:
        # Made before it is filled: nobody else may read it for a moment, and nobody's is replaced.
        os.close(os.open(target, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC, 0o600))
        is_made = True
        yield
        with target.open("rb") as copy:
            os.fsync(copy)  # SQLite and pg_dump leave that to their caller
    except BaseException as error:
        if is_made:
            target.unlink(missing_ok=True)  # half a copy looks like a whole one
        if isinstance(error, CopyRefused | DatabaseError | OSError):
            raise CopyRefused(f"{target}: no copy was written: {error}") from error
        raise
