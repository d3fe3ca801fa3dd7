"""No modules of quizzes import each other in a circle, by imports inside functions either.

A late import hides a circle from Python, not from a reader: neither module can be understood, moved
or tested without the other. What both need belongs into a module below them.
"""

from collections.abc import Mapping
from pathlib import Path

import grimp
import pytest

Imports = Mapping[str, set[str]]


def imports_of(package: str) -> Imports:
    """Return what each module imports, without what only types are checked with.

    A package that imports its own modules hands on their names. Whoever imports it from outside
    imports those modules; a module within imports the package alone, which is no circle.
    """
    graph = grimp.build_graph(package, cache_dir=None, exclude_type_checking_imports=True)
    direct = {one: set(graph.find_modules_directly_imported_by(one)) for one in graph.modules}
    own = {
        one: {other for other in found if is_within(other, one)} for one, found in direct.items()
    }

    def with_handed_on(imported: str) -> set[str]:
        return {imported}.union(*map(with_handed_on, own[imported]))

    return {
        one: {
            name
            for other in found - own[one]
            for name in ({other} if is_within(one, other) else with_handed_on(other))
        }
        for one, found in direct.items()
    }


def is_within(module: str, package: str) -> bool:
    return module.startswith(f"{package}.")


def circles(imports: Imports) -> set[frozenset[str]]:
    """Return the largest sets of modules in which each leads to each other."""
    left = {one: set(found) for one, found in imports.items()}
    while ends := {one for one, found in left.items() if not found & left.keys()}:
        left = {one: found for one, found in left.items() if one not in ends}
    reached = {one: _reached(one, left) for one in left}
    return {
        frozenset(other for other in found if one in reached.get(other, ()))
        for one, found in reached.items()
        if one in found
    }


def _reached(start: str, imports: Imports) -> set[str]:
    found: set[str] = set()
    todo = [start]
    while todo:
        new = imports.get(todo.pop(), set()) - found
        found |= new
        todo += new
    return found


def test_no_modules_import_each_other() -> None:
    imports = imports_of("quizzes")
    assert "quizzes.learners.models" in imports["quizzes.learners.user_names"]
    found = [sorted(circle) for circle in circles(imports)]
    assert not found, f"a circle of imports: {found}; move what both need into a module below them"


def test_a_circle_by_imports_within_functions_is_found(package: Path) -> None:
    (package / "a.py").write_text("import circling.b\n")
    (package / "b.py").write_text("def late():\n    from circling.c import d\n")
    (package / "c.py").write_text("def late():\n    from circling import b\n")
    assert circles(imports_of("circling")) == {frozenset({"circling.b", "circling.c"})}


def test_a_circle_by_names_that_a_package_hands_on_is_found(package: Path) -> None:
    (package / "a.py").write_text("from circling.inner import name\n")
    (package / "inner").mkdir()
    (package / "inner" / "__init__.py").write_text("from circling.inner.b import name\n")
    (package / "inner" / "b.py").write_text("def name():\n    from circling import a\n")
    assert circles(imports_of("circling")) == {frozenset({"circling.a", "circling.inner.b"})}


def test_types_and_a_package_of_its_own_modules_are_no_circle(package: Path) -> None:
    (package / "__init__.py").write_text("from circling.a import name\n")
    (package / "a.py").write_text(
        "from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    from circling.b import kind\n"
    )
    (package / "b.py").write_text("import circling.a\nimport circling\n")
    assert circles(imports_of("circling")) == set()


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of an empty package that grimp finds."""
    folder = tmp_path / "circling"
    folder.mkdir()
    (folder / "__init__.py").touch()
    monkeypatch.syspath_prepend(str(tmp_path))
    return folder
