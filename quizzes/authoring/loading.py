"""Loading a course: all of it in one transaction, and never over what somebody edited.

A row remembers the hash of the file it was last loaded from. When the file has changed since and
the row has been edited in the browser as well, neither wins by itself: that is a conflict.
"""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from django.db import transaction

from quizzes.authoring.course_files import KINDS, CourseFiles, Kind
from quizzes.pages.stored import Stored


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
    plan, loaded = _plan(files, choice)
    if not plan:
        return loaded  # most starts of the site: nothing changed, and nothing is locked
    with transaction.atomic():
        plan, loaded = _plan(files, choice)  # again, now that nobody else can write
        for kind, source in plan:
            loaded.count(kind.name, kind.save(source))
    return loaded


def _plan(files: CourseFiles, choice: Choice) -> tuple[Plan, Loaded]:
    """Return what to save, and the conflicts that nobody has decided."""
    plan: Plan = []
    loaded = Loaded()
    for kind in KINDS:
        rows = kind.stored()
        for source in files.sources[kind.name]:
            stored = rows.get(source.slug)
            if _changed(source.content_hash, stored):
                conflict = stored and _edited(source.content_hash, stored)
                if stored and conflict and choice is not Choice.OURS:
                    if choice is Choice.NOBODY:
                        loaded.conflicts.append(_conflict(kind, source, stored))
                    continue
                plan.append((kind, source))
    return plan, loaded


def _changed(file_hash: str, stored: Stored | None) -> bool:
    """Say whether the file is another than the one last loaded."""
    return stored is None or file_hash != stored.loaded_hash


def _edited(file_hash: str, stored: Stored) -> bool:
    """Say whether the row was edited since, to something else than the file says now."""
    return stored.content_hash not in {stored.loaded_hash, file_hash}


def _conflict(kind: Kind, source: Any, stored: Stored) -> Conflict:
    return Conflict(kind.name, source.slug, source.path, stored, source.content_hash)
