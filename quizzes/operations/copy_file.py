"""The file of a copy: a new one that is whole or is not there, and the error that says why."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.db import DatabaseError


class CopyError(Exception):
    """The database or the file cannot be copied."""


@contextmanager
def new_copy(target: Path) -> Iterator[None]:
    """Have `target` filled within; it is a whole copy afterwards, or is not there.

    Raises CopyError for a file that exists or cannot be made, and for what the engine refuses.
    """
    if target.exists():
        raise CopyError(f"{target}: already exists; a backup never overwrites a file")
    if not target.parent.is_dir():
        raise CopyError(f"{target}: there is no folder {target.parent}")
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
        if isinstance(error, CopyError | DatabaseError | OSError):
            raise CopyError(f"{target}: no copy was written: {error}") from error
        raise
