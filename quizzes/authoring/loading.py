"""Loading a course: all of it in one transaction, and never over what somebody edited.

A row remembers the hash of the file it was last loaded from. When the file has changed since and
the row has been edited in the browser as well, neither wins by itself: that is a conflict.
"""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from django.db import connection, transaction

from quizzes.authoring.course_files import KINDS, CourseFiles, Kind
from quizzes.authoring.placing import set_places
from quizzes.pages.stored import Stored

LOADING_LOCK = 0x0D1A  # any number, as long as nothing else locks the same


class Choice(StrEnum):
    """Who wins where file and row both changed."""

    NOBODY = "nobody"
    OURS = "ours"  # the files
    THEIRS = "theirs"  # the rows, as edited in the browser


@dataclass(frozen=True)
class Conflict:
    """One thing that changed both in its file and in the browser."""

    kind: str
    slug: str
    path: str
    stored: Stored
    file_hash: str

    def __str__(self) -> str:
        return (
            f"{self.path}: {self.kind} {self.slug!r} was changed in the file"
            f" ({self.stored.loaded_hash[:8] or 'never loaded'} to {self.file_hash[:8]})"
            f" and in the browser (now {self.stored.content_hash[:8]}); nothing written"
        )


@dataclass
class Loaded:
    """What a load did: how many of which kind were created and updated, and what it left alone."""

    counts: dict[str, dict[str, int]] = field(default_factory=dict)
    conflicts: list[Conflict] = field(default_factory=list)

    def count(self, kind: str, what: str) -> None:
        self.counts.setdefault(what, {}).setdefault(kind, 0)
        self.counts[what][kind] += 1


Plan = list[tuple[Kind, Any]]


def load(files: CourseFiles, *, choice: Choice = Choice.NOBODY) -> Loaded:
    """Store what was read, all or nothing. The files must be without faults."""
    if files.faults:
        raise ValueError(f"{len(files.faults)} faults: check before loading")
    loaded = Loaded()
    if not _changed(files):
        # Most starts of the site: nothing is written and nothing is locked, unless a newer release
        # counts the places in another way.
        set_places(files)
        return loaded
    with transaction.atomic():
        _wait_for_other_loads()
        for kind, source, stored in _changed(files):  # again, now that nobody else can write
            if stored is None or not _edited(source, stored) or choice is Choice.OURS:
                loaded.count(kind.name, kind.save(source))
            elif choice is Choice.THEIRS:
                _keep_row(kind, source)
                loaded.count(kind.name, "kept as edited")
            else:
                hashes = (stored, source.content_hash)
                loaded.conflicts.append(Conflict(kind.name, source.slug, source.path, *hashes))
        set_places(files)
    return loaded


def _wait_for_other_loads() -> None:
    """Let one load at a time write. SQLite does so by itself: a transaction has the whole file."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [LOADING_LOCK])


def _changed(files: CourseFiles) -> list[tuple[Kind, Any, Stored | None]]:
    """Return what is another than at the last load, with what is stored of it."""
    found = []
    for kind in KINDS:
        rows = kind.stored()
        for source in files.sources[kind.name]:
            stored = rows.get(source.slug)
            if stored is None or source.content_hash != stored.loaded_hash:
                found.append((kind, source, stored))
    return found


def _edited(source: Any, stored: Stored) -> bool:
    """Say whether the row was edited in the browser, to something else than the file says now."""
    return stored.content_hash not in {stored.loaded_hash, source.content_hash}


def _keep_row(kind: Kind, source: Any) -> None:
    """Note that this file has been seen and the row preferred, so that nobody is asked again."""
    kind.model.objects.filter(slug=source.slug).update(loaded_hash=source.content_hash)
