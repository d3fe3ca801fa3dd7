"""Who may import whom around the sandbox, and what submitted code can import."""

import ast
import sys
from pathlib import Path

import pytest

from quizzes.grader.protocol.case import Case
from quizzes.grader.protocol.job import Job, Sandbox
from quizzes.grader.protocol.read_results import read_run
from tests.grader.conftest import ROOT

GRADER = ROOT / "quizzes/grader"
INSIDE = GRADER / "inside"
AUTHORS = {"ordinal_exercise", "quizzes.grader.case"}  # the names by which they import `Case`
SHARED = {"quizzes.grader.protocol.wire", "quizzes.grader.protocol.case", *AUTHORS}
PROJECT = [
    "quizzes",
    "quizzes.grader.protocol.wire",
    *sorted(AUTHORS),
    "quizzes.grader.inside.child",
    "posenc",
    "manage",
]
SITE = ["django", "yaml", "PIL", "psycopg", "matplotlib", "pip", "setuptools", "torch", "pytest"]
ALLOWED = ["numpy", "numpy.linalg", "math", "dataclasses", "typing", "decimal", "statistics"]


def imports(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path.name}: a relative import"
            found.add(node.module or "")
    return found


@pytest.mark.parametrize("path", sorted(INSIDE.glob("*.py")), ids=lambda path: path.name)
def test_inside_uses_the_standard_library_numpy_torch_and_the_shared_files(path: Path) -> None:
    allowed = sys.stdlib_module_names | {"numpy", "torch"}
    for name in imports(path):
        ours = name in SHARED or name.startswith("quizzes.grader.inside.")
        assert ours or name.split(".")[0] in allowed, name


@pytest.mark.parametrize("name", sorted(SHARED))
def test_shared_files_use_the_standard_library_and_numpy(name: str) -> None:
    path = ROOT / name.replace(".", "/")
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    for module in imports(file):
        assert module in SHARED or module.split(".")[0] in sys.stdlib_module_names | {"numpy"}


def test_nobody_outside_imports_the_inside() -> None:
    for path in (ROOT / "quizzes").rglob("*.py"):
        if not path.is_relative_to(INSIDE) and "quizzes.grader.inside" in path.read_text():
            assert not any(name.startswith("quizzes.grader.inside") for name in imports(path)), path


def test_no_file_unpickles_or_loads_unsafe_yaml() -> None:
    for path in GRADER.rglob("*.py"):
        assert not imports(path) & {"pickle", "marshal", "shelve", "dill"}, path
        assert "yaml.load(" not in path.read_text()


@pytest.mark.sandbox
@pytest.mark.parametrize(("names", "possible"), [(PROJECT, False), (SITE, False), (ALLOWED, True)])
def test_what_submitted_code_can_import(names: list[str], possible: bool, student: Sandbox) -> None:
    assert importable(student, names) == dict.fromkeys(names, possible)


@pytest.mark.sandbox
def test_what_an_authors_code_can_import(author: Sandbox) -> None:
    names = ["posenc", "array_api_compat", "numpy", *PROJECT[:1], *sorted(AUTHORS), "django"]
    assert importable(author, names) == {name: name in names[:3] for name in names}


def importable(sandbox: Sandbox, names: list[str]) -> dict[str, bool]:
    source = """
import importlib
def f(names):
    found = ""
    for name in names.split():
        try:
            importlib.import_module(name)
        except ImportError:
            found += "0"
        else:
            found += "1"
    print(found)
    return 0
"""
    case = Case("x", {"names": " ".join(names)}, shown=True)
    run = sandbox.run(Job(source, "f", (case,)))
    assert read_run(run, [case]).load_failure is None
    return {
        name: mark == "1" for name, mark in zip(names, run.stdout.decode().strip(), strict=True)
    }
