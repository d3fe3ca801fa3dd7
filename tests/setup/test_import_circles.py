"""No modules of quizzes import each other in a circle, by imports inside functions either.

A late import hides a circle from Python, not from a reader: neither module can be understood, moved
or tested without the other. What both need belongs into a module below them.
"""

from collections.abc import Mapping

import grimp

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


def test_circle_is_the_set_of_its_modules() -> None:
    imports = {"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": {"a", "d.e"}, "d.e": set()}
    assert circles(imports) == {frozenset({"b", "c"})}
