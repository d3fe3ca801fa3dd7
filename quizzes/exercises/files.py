"""An exercise's folder: read and checked, compared with what is stored, saved as a version."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from django.db.models import OuterRef, Subquery

from quizzes.exercises.models import Exercise, ExerciseVersion
from quizzes.exercises.publishing import add_version
from quizzes.grader.definition import ExerciseDefinition, read_definition, read_folder
from quizzes.grader.errors import DefinitionError
from quizzes.pages.fields import is_slug
from quizzes.pages.markdown import markdown_faults
from quizzes.pages.source import ContentError, Fault, read_entries
from quizzes.pages.stored import Stored

FOLDER = "exercises"


@dataclass(frozen=True)
class ExerciseSource:
    """One exercise as its files say it. `steps`: every lesson step it refers to, with its fault."""

    slug: str
    path: str
    line: int
    content_hash: str
    files: Mapping[str, str]
    definition: ExerciseDefinition
    steps: tuple[tuple[str, Fault], ...]


def read_exercises(root: Path) -> tuple[list[ExerciseSource], list[Fault]]:
    """Return the exercises under a course's folder, and everything wrong with their files.

    Authors' Python is not run here: a worker verifies each new version in the author sandbox.
    """
    sources: list[ExerciseSource] = []
    faults: list[Fault] = []
    try:
        entries = read_entries(root / FOLDER, root=root)
    except ContentError as error:
        return [], list(error.faults)
    for path in entries:
        if path.name.startswith((".", "_")):
            continue
        try:
            source = read_exercise(path, within=f"{FOLDER}/{path.name}", root=root)
        except DefinitionError as error:
            faults.append(Fault(_place(path.name, error.path), error.line, error.message))
            continue
        faults.extend(_statement_faults(source))
        sources.append(source)
    return sources, faults


def read_exercise(path: Path, *, within: str, root: Path | None = None) -> ExerciseSource:
    """Return one exercise; raises DefinitionError for the first fault of its form.

    `root`: the course, which no link of the exercise may leave.
    """
    if not is_slug(path.name):
        raise DefinitionError("exercise.yaml", 1, f"folder {path.name!r}: must be a slug")
    files = read_folder(path, root=root)
    definition = read_definition(path.name, files)
    return ExerciseSource(
        slug=path.name,
        path=f"{within}/exercise.yaml",
        line=1,
        content_hash=definition.content_hash,
        files=files,
        definition=definition,
        steps=tuple(_steps(definition, files, within)),
    )


def stored_exercises() -> Mapping[str, Stored]:
    """Return the hashes of the exercises in the database. One query."""
    newest = ExerciseVersion.objects.filter(exercise=OuterRef("pk")).order_by("-number")
    rows = Exercise.objects.annotate(newest_hash=Subquery(newest.values("content_hash")[:1]))
    return {
        row.slug: Stored(row.loaded_hash, row.newest_hash or "")
        for row in rows.only("slug", "loaded_hash")
    }


def save_exercise(source: ExerciseSource) -> str:
    """Store an exercise's files as a new version unless the newest has them already.

    Return "created", "updated" or "unchanged".
    """
    exercise, created = Exercise.objects.get_or_create(slug=source.slug)
    newest = exercise.versions.order_by("-number").values_list("content_hash", flat=True).first()
    if newest != source.content_hash:
        add_version(exercise=exercise, definition=source.definition, files=source.files)
    elif exercise.loaded_hash == source.content_hash:
        return "unchanged"
    Exercise.objects.filter(pk=exercise.pk).update(loaded_hash=source.content_hash)
    return "created" if created else "updated"


def _place(slug: str, path: str) -> str:
    """Return the fault's path relative to the course: the grader knows only the exercise's."""
    return f"{FOLDER}/{slug}/{path}" if not Path(path).is_absolute() else f"{FOLDER}/{slug}"


def _statement_faults(source: ExerciseSource) -> list[Fault]:
    path = f"{FOLDER}/{source.slug}/statement.md"
    return markdown_faults(source.definition.statement, path=path)


def _steps(
    definition: ExerciseDefinition, files: Mapping[str, str], within: str
) -> Iterator[tuple[str, Fault]]:
    named = [("exercise.yaml", "step:", definition.step)]
    named += [(f"wrong/{slug}.py", "Step:", wrong.step) for slug, wrong in definition.wrong.items()]
    for name, word, step in named:
        if step:
            line = _line_with(files[name], word)
            yield step, Fault(f"{within}/{name}", line, f"there is no step {step}")


def _line_with(text: str, word: str) -> int:
    lines = enumerate(text.splitlines(), start=1)
    return next((number for number, line in lines if line.lstrip().startswith(word)), 1)
