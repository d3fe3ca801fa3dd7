"""Reading the files of a generated question: its generate.py, and the exercise it draws from.

The code is text here; it runs in the author sandbox only (see `generating`).
"""

from collections.abc import Mapping
from pathlib import Path

from quizzes.grader.definition import read_definition, read_folder
from quizzes.grader.errors import DefinitionError
from quizzes.pages.fields import is_slug
from quizzes.pages.source import ContentError, Fault, Node, read_text

GENERATOR_FILE = "generate.py"
NUMPY = "numpy"


def read_generator(folder: Path, node: Node, root: Path) -> Mapping[str, str] | None:
    """Return what is stored of a generator, None for a question without one.

    generate.py; with `exercise:` in question.yaml also its slug, the name of its function,
    reference.py and wrong/*.py, so that a version stays what it was. Raises ContentError.
    """
    path = folder / GENERATOR_FILE
    if not (path.exists() or path.is_symlink()):
        return None
    source = read_text(path, root=root)
    if "def generate(" not in source:
        name = path.relative_to(root).as_posix()
        raise ContentError([Fault(name, 1, "must define generate(rng, exercise)")])
    files = {GENERATOR_FILE: source}
    wanted = node.at("exercise")
    if wanted.value is not None:
        files |= _exercise_files(wanted, root)
    return files


def _exercise_files(wanted: Node, root: Path) -> dict[str, str]:
    slug = str(wanted.value)
    folder = root / "exercises" / slug
    if not is_slug(slug) or not folder.is_dir():
        raise ContentError([wanted.fault(f"exercise: there is no exercise {slug!r}")])
    try:
        definition = read_definition(slug, read_folder(folder, root=root))
    except DefinitionError as error:
        place = f"exercises/{slug}/{error.path}"
        raise ContentError([Fault(place, error.line, error.message)]) from error
    if definition.library != NUMPY or definition.kind != "function":
        words = f"exercise: {slug!r} is a {definition.library} {definition.kind}"
        raise ContentError([wanted.fault(f"{words}: must be a numpy function")])
    wrong = {f"wrong/{name}.py": found.source for name, found in definition.wrong.items()}
    facts = {"exercise": slug, "name": definition.name, "reference.py": definition.reference}
    return facts | wrong
