"""Reading the files of a generated question: its generate.py, and the exercise it draws from.

The code is text here; it runs in the author sandbox only (see `run_generator`).
"""

from collections.abc import Mapping

from quizzes.content_files.fields import is_slug
from quizzes.content_files.files import Files
from quizzes.content_files.problems import ContentError, ContentProblem
from quizzes.content_files.python_source import (
    defines,
    find_syntax_error,
    line_of_wrong_parameters,
)
from quizzes.content_files.yaml_nodes import Node
from quizzes.grader.api import DefinitionError
from quizzes.grader.definitions import read_definition, read_folder

GENERATOR_FILE = "generate.py"
NUMPY = "numpy"


def read_generator(
    files: Files, folder: str, node: Node, problems: list[ContentProblem]
) -> Mapping[str, str] | None:
    """Return the stored form of a generator, None for a question without one.

    generate.py; with `exercise:` in question.yaml also its slug, the name of its function,
    reference.py and wrong/*.py, so that a version stays what it was. What is wrong with any of
    them is noted.
    """
    path = f"{folder}/{GENERATOR_FILE}"
    if not files.has(path):
        return None
    stored = {GENERATOR_FILE: _read_source(files, path, problems)}
    exercise = node.at("exercise")
    if exercise.value is not None:
        stored |= _exercise_files(files, exercise, problems)
    return stored


def _read_source(files: Files, path: str, problems: list[ContentProblem]) -> str:
    try:
        source = files.text(path)
    except ContentError as error:
        problems += error.problems
        return ""
    broken = find_syntax_error(source)
    if broken is not None:
        problems.append(ContentProblem(path, *broken))
    elif not defines(source, "generate"):
        problems.append(ContentProblem(path, 1, "must define generate(rng, exercise)"))
    elif line := line_of_wrong_parameters(source, "generate", count=2):
        problems.append(ContentProblem(path, line, "generate must take (rng, exercise)"))
    return source


def _exercise_files(files: Files, node: Node, problems: list[ContentProblem]) -> dict[str, str]:
    """Return what is stored of an exercise; of one that cannot be read its slug alone.

    With the slug it is still seen that the generator needs an exercise, and cannot run without.
    """
    slug = str(node.value)
    if not is_slug(slug) or not _has_exercise(files, slug):
        problems.append(node.problem(f"exercise: there is no exercise {slug!r}"))
        return {"exercise": slug}
    try:
        definition = read_definition(slug, read_folder(files, f"exercises/{slug}"))
    except DefinitionError as error:
        problems += [problem.below(f"exercises/{slug}") for problem in error.problems]
        return {"exercise": slug}
    if definition.library != NUMPY or definition.kind != "function":
        words = f"exercise: {slug!r} is a {definition.library} {definition.kind}"
        problems.append(node.problem(f"{words}: must be a numpy function"))
    wrong = {f"wrong/{name}.py": variant.source for name, variant in definition.wrong.items()}
    facts = {"exercise": slug, "name": definition.name, "reference.py": definition.reference}
    return facts | wrong


def _has_exercise(files: Files, slug: str) -> bool:
    try:
        folders = [entry.name for entry in files.entries("exercises") if entry.is_folder]
    except ContentError:
        return False  # the reader of exercises reports the faults of their folder
    return slug in folders
