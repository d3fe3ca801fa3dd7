"""Copies of the site's database, on either engine: written while it runs, checked, put back."""

from pathlib import Path
from typing import Protocol

from django.db import connection

from quizzes.operations import postgresql_copies, sqlite_copies


class Copies(Protocol):
    """What each engine knows about its copies: `sqlite_copies`, `postgresql_copies`."""

    def write_copy(self, target: Path) -> int:
        """Write the database as it is now to the new file `target`; return its size in bytes."""

    def check_copy(self, source: Path) -> int:
        """Return how many migrations the copy has; refuses a file that is no whole copy."""

    def put_back(self, source: Path) -> Path:
        """Make the database equal to the copy; return a copy of what was there before."""


def copies_of_engine() -> Copies:
    """Return the writer and reader of copies of this site's database."""
    return postgresql_copies if connection.vendor == "postgresql" else sqlite_copies
