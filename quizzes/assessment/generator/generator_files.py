"""Reading the files of a generated question: its generate.py, and the exercise it draws from.

The code is text here; it runs in the author sandbox only (see `run_generator`).
"""

from collections.abc import Mapping
from pathlib import Path

from quizzes.content_files.fields import is_slug
from quizzes.content_files.plain_file import read_text
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
    folder: Path, node: Node, root: Path, problems: list[ContentProblem]
) -> Mapping[str, str] | None:
    """Return the stored form of a generator, None for a question without one.

    generate.py; with `exercise:` in question.yaml also its slug, the name of its function,
    reference.py and wrong/*.py, so that a version stays what it was. What is wrong with any of
    them is noted.
    """
    path = folder / GENERATOR_FILE
    if not (path.exists() or path.is_symlink()):
        return None
    files = {GENERATOR_FILE: _read_source(path, root, problems)}
    wanted = node.at("exercise")
    if wanted.value is not None:
        files |= _exercise_files(wanted, root, problems)
    return files


def _read_source(path: Path, root: Path, problems: list[ContentProblem]) -> str:
    try:
        source = read_text(path, root=root)
    except ContentError as error:
        problems += error.problems
        return ""
    name = path.relative_to(root).as_posix()
    broken = find_syntax_error(source)
    if broken is not None:
        problems.append(ContentProblem(name, *broken))
    elif not defines(source, "generate"):
        problems.append(ContentProblem(name, 1, "must define generate(rng, exercise)"))
    elif line := line_of_wrong_parameters(source, "generate", count=2):
        problems.append(ContentProblem(name, line, "generate must take (rng, exercise)"))
    return source


def _exercise_files(node: Node, root: Path, problems: list[ContentProblem]) -> dict[str, str]:
    """Return what is stored of an exercise; of one that cannot be read its slug alone.

    With the slug it is still seen that the generator needs an exercise, and cannot run without.
    """
    slug = str(node.value)
    folder = root / "exercises" / slug
    if not is_slug(slug) or not folder.is_dir():
        problems.append(node.problem(f"exercise: there is no exercise {slug!r}"))
        return {"exercise": slug}
    try:
        definition = read_definition(slug, read_folder(folder, root=root))
    except DefinitionError as error:
        problems += [problem.below(f"exercises/{slug}") for problem in error.problems]
        return {"exercise": slug}
    if definition.library != NUMPY or definition.kind != "function":
        words = f"exercise: {slug!r} is a {definition.library} {definition.kind}"
        problems.append(node.problem(f"{words}: must be a numpy function"))
    wrong = {f"wrong/{name}.py": variant.source for name, variant in definition.wrong.items()}
    facts = {"exercise": slug, "name": definition.name, "reference.py": definition.reference}
    return facts | wrong
