"""An exercise's folder: read and checked, compared with what is stored, saved as a version."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from django.db.models import OuterRef, Subquery

from quizzes.content_files.fields import is_slug
from quizzes.content_files.files import Files
from quizzes.content_files.problems import ContentError, ContentProblem
from quizzes.content_files.renamed_from import FormerName
from quizzes.content_files.stored_hashes import Stored
from quizzes.content_files.yaml_nodes import Node
from quizzes.courses.models import Course
from quizzes.exercises.models import Exercise, ExerciseVersion
from quizzes.exercises.publishing import add_version
from quizzes.exercises.runs.code_figure import figure_problems
from quizzes.grader.definitions import ExerciseDefinition, check_folder, read_definition
from quizzes.pages.markdown import markdown_problems, plain_text_problems

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
    steps: tuple[tuple[str, ContentProblem], ...]
    renamed_from: tuple[FormerName, ...] = ()


def read_exercises(files: Files) -> tuple[list[ExerciseSource], list[ContentProblem]]:
    """Return the exercises under a course's folder, and everything wrong with their files.

    Authors' Python is not run here: a worker verifies each new version in the author sandbox.
    """
    sources: list[ExerciseSource] = []
    problems: list[ContentProblem] = []
    try:
        entries = files.entries(FOLDER)
    except ContentError as error:
        return [], list(error.problems)
    for entry in entries:
        if entry.name.startswith((".", "_")):
            continue
        source = read_exercise(files, entry.name, problems)
        if source is not None:
            sources.append(source)
    return sources, problems


def read_exercise(files: Files, slug: str, problems: list[ContentProblem]) -> ExerciseSource | None:
    """Return one exercise, None for one that cannot run, noting everything wrong with its files."""
    within = f"{FOLDER}/{slug}"
    if not is_slug(slug):
        words = f"folder {slug!r}: must be a slug"
        problems.append(ContentProblem(f"{within}/exercise.yaml", 1, words))
    texts, faults = check_folder(files, within)
    problems += [problem.below(within) for problem in faults]
    statement = texts.get("statement.md", "")
    problems += markdown_problems(statement, path=f"{within}/statement.md")
    if faults or not is_slug(slug):
        return None
    definition = read_definition(slug, texts)
    for word, plain in (("title:", (definition.title,)), ("hints:", definition.hints)):
        line = _line_with(texts["exercise.yaml"], word)
        nodes = [Node(text, line, f"{within}/exercise.yaml") for text in plain]
        problems += plain_text_problems(*nodes, has_code=word == "hints:")
    problems += figure_problems(definition, within=within)
    return ExerciseSource(
        slug=slug,
        path=f"{within}/exercise.yaml",
        line=1,
        content_hash=definition.content_hash,
        files=texts,
        definition=definition,
        steps=tuple(_steps(definition, texts, within)),
        renamed_from=tuple(
            FormerName(former.name, former.place.below(within))
            for former in definition.renamed_from
        ),
    )


def stored_exercises(course: Course) -> Mapping[str, Stored]:
    """Return the hashes of a course's exercises. One query."""
    newest = ExerciseVersion.objects.filter(exercise=OuterRef("pk")).order_by("-number")
    there = Exercise.objects.filter(course=course)
    rows = there.annotate(newest_hash=Subquery(newest.values("content_hash")[:1]))
    return {
        row.slug: Stored(row.loaded_hash, row.newest_hash or "", row.withdrawn_at is not None)
        for row in rows.only("slug", "loaded_hash", "withdrawn_at")
    }


def save_exercise(course: Course, source: ExerciseSource) -> str:
    """Store an exercise's files as a new version unless the newest has them already.

    Return "created", "updated" or "unchanged".
    """
    exercise, created = Exercise.objects.get_or_create(course=course, slug=source.slug)
    newest = exercise.versions.order_by("-number").values_list("content_hash", flat=True).first()
    if newest != source.content_hash:
        add_version(exercise=exercise, definition=source.definition, files=source.files)
    elif exercise.loaded_hash == source.content_hash and exercise.withdrawn_at is None:
        return "unchanged"
    Exercise.objects.filter(pk=exercise.pk).update(
        loaded_hash=source.content_hash, withdrawn_at=None
    )
    return "created" if created else "updated"


def _steps(
    definition: ExerciseDefinition, files: Mapping[str, str], within: str
) -> Iterator[tuple[str, ContentProblem]]:
    named = [("exercise.yaml", "step:", definition.step)]
    named += [(f"wrong/{slug}.py", "Step:", wrong.step) for slug, wrong in definition.wrong.items()]
    for name, word, step in named:
        if step:
            line = _line_with(files[name], word)
            yield step, ContentProblem(f"{within}/{name}", line, f"there is no step {step}")


def _line_with(text: str, word: str) -> int:
    lines = enumerate(text.splitlines(), start=1)
    return next((number for number, line in lines if line.lstrip().startswith(word)), 1)
