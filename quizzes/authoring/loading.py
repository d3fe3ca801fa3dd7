"""Load a course: all of it in one transaction, and never over an edit in the browser.

A row remembers the hash of the file it was last loaded from. When the file has changed since and
the row has been edited in the browser as well, neither wins by itself: this is a conflict.
"""

from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from django.db import connection, transaction

from quizzes.assessment.models import Quiz
from quizzes.authoring.course_files import KINDS, CourseFiles, Kind
from quizzes.content_files.stored_hashes import Stored
from quizzes.exercises.models import Exercise

LOADING_LOCK = 0x0D1A  # any number, as long as nothing else locks the same


class Choice(StrEnum):
    """Which side wins where file and row both changed."""

    NOBODY = "nobody"
    OURS = "ours"  # the files
    THEIRS = "theirs"  # the rows, as edited in the browser


@dataclass(frozen=True)
class Conflict:
    """A question, quiz or other content that changed both in its file and in the browser."""

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
class LoadReport:
    """The result of a load: how many of each kind it created and updated, and the conflicts."""

    counts: dict[str, dict[str, int]] = field(default_factory=dict)
    conflicts: list[Conflict] = field(default_factory=list)

    def count(self, kind: str, what: str) -> None:
        self.counts.setdefault(what, {}).setdefault(kind, 0)
        self.counts[what][kind] += 1


Plan = list[tuple[Kind, Any]]


def load(files: CourseFiles, *, choice: Choice = Choice.NOBODY) -> LoadReport:
    """Store a course, all or nothing. The files must be without faults."""
    if files.problems:
        raise ValueError(f"{len(files.problems)} faults: check before loading")
    loaded = LoadReport()
    if not _changed(files):
        # Most starts of the site: nothing is written and nothing is locked, unless a newer release
        # counts the places in another way.
        set_places(files)
        return loaded
    with transaction.atomic():
        _wait_for_other_loads()
        for kind, source, stored in _changed(files):  # again, now that no other load can write
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
    """Let one load at a time write. SQLite does so by itself: a transaction locks the file."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [LOADING_LOCK])


def _changed(files: CourseFiles) -> list[tuple[Kind, Any, Stored | None]]:
    """Return the content that differs from the last load, each with its stored row."""
    found = []
    for kind in KINDS:
        rows = kind.stored()
        for source in files.sources[kind.name]:
            stored = rows.get(source.slug)
            if stored is None or source.content_hash != stored.loaded_hash:
                found.append((kind, source, stored))
    return found


def _edited(source: Any, stored: Stored) -> bool:
    """Return whether the row was edited in the browser and differs from the file."""
    return stored.content_hash not in {stored.loaded_hash, source.content_hash}


def _keep_row(kind: Kind, source: Any) -> None:
    """Note that the row was preferred to this file, so that the next load does not ask again."""
    kind.model.objects.filter(slug=source.slug).update(loaded_hash=source.content_hash)


# The order in which a course leads to its exercises and quizzes is that of its lessons: an exercise
# stands at its step, a quiz behind the lesson that explains most of its questions. Exercises and
# quizzes that belong to no lesson, since they were made in the browser, come last.
STEPS_AT_MOST = 1000  # of a lesson: room between the places of two lessons


def set_places(files: CourseFiles) -> None:
    """Store the places of exercises and quizzes. Writes only rows whose place changed."""
    at_step = {
        path: lesson.number * STEPS_AT_MOST + number
        for lesson in files.sources["lesson"]
        for number, path in enumerate((f"{lesson.slug}/{one.slug}" for one in lesson.steps_read), 1)
    }
    exercises = {one.slug: _first(one, at_step) for one in files.sources["exercise"]}
    _store(Exercise, exercises)
    of_question = {one.slug: _first(one, at_step) for one in files.sources["question"]}
    quizzes = {
        quiz.slug: _after_its_lesson([of_question.get(slug) for slug, _ in quiz.questions])
        for quiz in files.sources["quiz"]
    }
    _store(Quiz, quizzes)


def _first(source: Any, at_step: dict[str, int]) -> int | None:
    """Return the place of the step that a question or an exercise belongs to."""
    return next((at_step[path] for path, _ in source.steps if path in at_step), None)


def _after_its_lesson(places: list[int | None]) -> int | None:
    lessons = Counter(place // STEPS_AT_MOST for place in places if place is not None)
    return (lessons.most_common(1)[0][0] + 1) * STEPS_AT_MOST - 1 if lessons else None


def _store(model: type[Any], places: dict[str, int | None]) -> None:
    moved = []
    for row in model.objects.filter(slug__in=places).only("pk", "slug", "place"):
        place = places[row.slug]
        if place is not None and row.place != place:
            row.place = place
            moved.append(row)
    model.objects.bulk_update(moved, ["place"])
