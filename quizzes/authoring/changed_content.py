"""What differs between the files of a course and its rows, and what a load would do about it."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from quizzes.authoring.course_files import KINDS, CourseFiles, Kind
from quizzes.authoring.renames import new_renames
from quizzes.content_files.stored_hashes import Stored
from quizzes.courses.models import Course
from quizzes.lessons.models import Picture
from quizzes.lessons.pictures.course_pictures import pictures_in
from quizzes.lessons.store import stored_lessons


class Change(StrEnum):
    """What a load does with one thing."""

    NEW = "new"
    CHANGED = "changed"
    RENAMED = "renamed"
    WITHDRAWN = "withdrawn"
    CONFLICT = "conflict"  # changed in the browser as well: left as it is unless the files win


@dataclass(frozen=True)
class PlannedChange:
    """A thing that a load would change. `hashes`: of the file, of the row, as it was loaded."""

    kind: str
    slug: str
    change: Change
    hashes: tuple[str, str, str] = ("", "", "")


def planned_changes(course: Course | None, files: CourseFiles) -> list[PlannedChange]:
    """Return what `load` would do, in its order; nothing for what would be as it is."""
    if course is None:
        return [
            PlannedChange(kind.name, source.slug, Change.NEW, (source.content_hash, "", ""))
            for kind in KINDS
            for source in files.sources[kind.name]
        ]
    planned = [
        PlannedChange(rename.kind, f"{rename.old} → {rename.new}", Change.RENAMED)
        for rename in new_renames(course, files)
    ]
    former = {(rename.kind, rename.new): rename.old for rename in files.renames}
    for kind, source, found in changed(course, files):
        stored, old = found, former.get((kind.name, source.slug))
        if stored is None and old is not None:
            stored = kind.stored(course).get(old)  # its row gets the new name first
        file_hash = source.content_hash
        if stored is None:
            change, hashes = Change.NEW, (file_hash, "", "")
        else:
            hashes = (file_hash, stored.content_hash, stored.loaded_hash)
            if stored.content_hash == file_hash and not stored.is_withdrawn:
                continue
            change = Change.CONFLICT if is_edited(source, stored) else Change.CHANGED
        planned.append(PlannedChange(kind.name, source.slug, change, hashes))
    renamed = {(rename.kind, rename.old) for rename in files.renames}
    for kind, slug, stored in unnamed(course, files):
        if (kind.name, slug) not in renamed:
            change = Change.CONFLICT if is_wanted(stored) else Change.WITHDRAWN
            hashes = ("", stored.content_hash, stored.loaded_hash)
            planned.append(PlannedChange(kind.name, slug, change, hashes))
    return planned


class OutdatedPlanError(Exception):
    """Since the plan was shown, the course was changed: a load would do something else now."""


def refuse_other_changes(
    course: Course, files: CourseFiles, agreed: Sequence[PlannedChange]
) -> None:
    """Raise OutdatedPlanError where a load would do something else than was agreed."""
    if planned_changes(course, files) != agreed:
        raise OutdatedPlanError(f"the course {course.slug} was changed after it was looked at")


def changed(course: Course, files: CourseFiles) -> list[tuple[Kind, Any, Stored | None]]:
    """Return the content that differs from the last load, each with its stored row."""
    differing = []
    for kind in KINDS:
        rows = kind.stored(course)
        for source in files.sources[kind.name]:
            stored = rows.get(source.slug)
            if kind.model is Course and not course.title:
                stored = None  # its row was made a moment ago, to own what is loaded
            if stored is not None and stored.is_withdrawn and not stored.loaded_hash:
                continue  # withdrawn in the browser: somebody there brings it back, not a load
            if stored is None or stored.is_withdrawn or source.content_hash != stored.loaded_hash:
                differing.append((kind, source, stored))
    return differing


def unnamed(course: Course, files: CourseFiles) -> list[tuple[Kind, str, Stored]]:
    """Return the items that were loaded, are no longer in the files and are not yet withdrawn."""
    gone = []
    for kind in KINDS:
        named = {source.slug for source in files.sources[kind.name]}
        for slug, stored in kind.stored(course).items():
            if slug not in named and stored.loaded_hash and not stored.is_withdrawn:
                gone.append((kind, slug, stored))
    if any(kind.model is Picture for kind, _, _ in gone):
        shown = _pictures_of_the_browser(course)
        gone = [item for item in gone if item[0].model is not Picture or item[1] not in shown]
    return gone


def _pictures_of_the_browser(course: Course) -> set[str]:
    """Return the pictures that lessons show which are not as files had them."""
    lessons = {
        slug
        for slug, stored in stored_lessons(course).items()
        if stored.is_edited and not stored.is_withdrawn
    }
    return pictures_in(course, lessons)


def is_wanted(stored: Stored) -> bool:
    """Say whether somebody edited in the browser what the files name no longer.

    A quiz that was taken away from learners there has no content: file and browser agree.
    """
    return stored.is_edited and stored.content_hash != ""


def is_edited(source: Any, stored: Stored) -> bool:
    """Return whether the row was edited in the browser and differs from the file."""
    return stored.content_hash not in {stored.loaded_hash, source.content_hash}
