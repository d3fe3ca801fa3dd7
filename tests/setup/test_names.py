"""Names that say nothing, long names of tests and words nobody says: each count may only fall.

The numbers are those of the day on which they were last lowered. A change that lowers one by much
lowers the number here too, so that it stays low: the test names the new one.
"""

import ast
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
EMPTY = ("asked", "found", "given", "one", "told", "wanted")
MOST_WORDS = 8  # of a test's name, after `test_`
BANNED = re.compile(r"\b(anew|whoever|of ours|many a)\b", re.IGNORECASE)

SLACK = 50  # so that two changes at once need not agree on a number

AT_MOST = {
    "asked": 482,
    "found": 1861,
    "given": 508,
    "one": 3340,
    "told": 390,
    "wanted": 214,
    "long test names": 1616,
    "banned words in code": 78,
    "banned words on pages": 0,
}


PRODUCT = ("quizzes", "encodings/src", "ordinal_exercise", "tools")


def _programs(rooms: Iterable[str] = (*PRODUCT, "benchmarks", "tests")) -> Iterator[Path]:
    for room in rooms:
        for path in sorted((ROOT / room).rglob("*.py")):
            if not {"content", "strangers", "correct", "attacks", "forgeries"} & set(path.parts):
                yield path


def _names(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.arg(arg=name) | ast.Attribute(attr=name) | ast.Name(id=name):
                yield name
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.keyword(arg=str(name)):
                yield name


@cache
def _counts() -> Counter[str]:
    counts: Counter[str] = Counter()
    for path in _programs():
        text = path.read_text(encoding="utf-8")
        names = Counter(_names(ast.parse(text)))
        counts.update({name: names[name] for name in EMPTY})
        tests = [name for name in names if name.startswith("test_")]
        counts["long test names"] += sum(name.count("_") > MOST_WORDS for name in tests)
        if path != Path(__file__):
            counts["banned words in code"] += len(BANNED.findall(text))
    for path in (ROOT / "templates").rglob("*.html"):
        counts["banned words on pages"] += len(BANNED.findall(path.read_text(encoding="utf-8")))
    return counts


@pytest.mark.slow
@pytest.mark.parametrize("what", AT_MOST)
def test_count_never_rises(what: str) -> None:
    count, most = _counts()[what], AT_MOST[what]
    assert count <= most, f"{what}: {count}, at most {most}: name the thing (CONTRIBUTING.md)"
    assert count > most - SLACK, f"{what}: {count} are left of {most}: write {count} into AT_MOST"


def _outer_names(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield the line and the name of arguments, attributes, functions and module-level names."""
    for node in ast.walk(tree):
        match node:
            case ast.arg(arg=name) | ast.Attribute(attr=name, ctx=ast.Store()):
                yield node.lineno, name
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                yield node.lineno, name
        for child in node.body if isinstance(node, ast.Module | ast.ClassDef) else ():
            if isinstance(child, ast.Assign | ast.AnnAssign):
                targets = (part for part in ast.walk(child) if isinstance(part, ast.Name))
                yield from (
                    (part.lineno, part.id.lower())
                    for part in targets
                    if isinstance(part.ctx, ast.Store)
                )


@pytest.mark.slow
def test_outer_names_are_never_empty() -> None:
    empty = [
        f"{path.relative_to(ROOT)}:{line} {name}"
        for path in _programs(PRODUCT)
        for line, name in _outer_names(ast.parse(path.read_text(encoding="utf-8")))
        if name in EMPTY
    ]
    assert not empty, "name the thing (CONTRIBUTING.md)"
