"""Secrets that a machine draws once and keeps in a file, such as a developer's key."""

import os
from collections.abc import Callable
from pathlib import Path

from django.core.files import locks


def read_or_draw(path: Path, draw: Callable[[], str]) -> str:
    """Return the content of the file; if it is empty, the result of `draw`, and keep it there.

    Of several processes that come first at once, one draws while the others wait for its file,
    so that all return the same. A file left empty by a process that was killed is filled.
    """
    with open(path, "a+", opener=_for_its_owner) as file:
        locks.lock(file, locks.LOCK_EX)  # until it is closed
        file.seek(0)
        kept = file.read()
        if not kept:
            kept = draw()
            file.write(kept)
            file.flush()
    return kept


def _for_its_owner(path: str, flags: int) -> int:
    return os.open(path, flags, mode=0o600)
