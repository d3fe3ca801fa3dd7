"""The exercise folders of the shipped courses, and the solutions kept for each."""

from functools import cache
from pathlib import Path

from quizzes.content_files.files import DiskFiles
from quizzes.grader.definitions.definition import ExerciseDefinition, read_definition, read_folder
from tests.course_folders import COURSES

CORRECT = Path(__file__).parent / "correct"
MISTAKEN = Path(__file__).parent / "mistaken"
_FILES = [path for course in COURSES for path in course.glob("exercises/*/exercise.yaml")]
FOLDERS = {path.parent.name: path.parent for path in _FILES}
assert len(FOLDERS) == len(_FILES), "two courses share a slug: give the tests both names"
SLUGS = tuple(sorted(FOLDERS))
AFTER_THE_STARTER = ("attention-with-hooks",)  # its starter holds what a solution needs


@cache
def definition_of(slug: str) -> ExerciseDefinition:
    """Return one exercise, read once."""
    return read_definition(slug, read_folder(DiskFiles(FOLDERS[slug])))


def variants() -> list[tuple[str, str]]:
    """Return (exercise, known mistake), every one there is."""
    return [(slug, variant) for slug in SLUGS for variant in definition_of(slug).wrong]


def correct_solutions() -> list[tuple[str, str]]:
    """Return (exercise, how it is written), every file kept."""
    return [(path.parent.name, path.stem) for path in sorted(CORRECT.glob("*/*.py"))]


def mistaken_solutions() -> list[tuple[str, str, str]]:
    """Return (exercise, known mistake, how it is written), not as their author wrote them."""
    files = sorted(MISTAKEN.glob("*/*/*.py"))
    return [(path.parts[-3], path.parts[-2], path.stem) for path in files]


def mistaken_solution(slug: str, variant: str, how: str) -> str:
    """Return what a student who makes that mistake in that way would submit."""
    return (MISTAKEN / slug / variant / f"{how}.py").read_text(encoding="utf-8")


def correct_solution(slug: str, how: str) -> str:
    """Return what a student with that solution would submit."""
    source = (CORRECT / slug / f"{how}.py").read_text(encoding="utf-8")
    return f"{definition_of(slug).starter}\n\n{source}" if slug in AFTER_THE_STARTER else source
