"""Faults are known by their class or code: the words of a message are for people alone."""

import ast

import pytest

from quizzes.content_files.fields import Fields
from quizzes.content_files.yaml_nodes import parse_yaml
from tests.databases import ROOT

COMPARING = {
    *("count", "endswith", "find", "fullmatch", "index", "match"),
    *("removeprefix", "removesuffix", "replace", "search", "startswith"),
}
# Python gives a student's exceptions no codes; here their words only rule out a hint.
OF_PYTHON = {"accidents.py"}
FOREIGN = """
try: look()
except ValueError as error:
    if {} : pass
"""


def _says(node, names):
    """Say whether an expression is the text of a message, or a part of it."""
    if isinstance(node, ast.Subscript):
        return _says(node.value, names)
    if isinstance(node, ast.Attribute):
        return node.attr == "message" or (node.attr == "args" and _names(node.value, names))
    is_text = isinstance(node, ast.Call) and getattr(node.func, "id", "") == "str"
    return is_text and any(_names(value, names) for value in node.args)


def _names(node, names):
    return isinstance(node, ast.Name) and node.id in names


def comparisons(source):
    """Return the lines that look at the words of a message."""
    nodes = list(ast.walk(ast.parse(source)))
    names = {node.name for node in nodes if isinstance(node, ast.ExceptHandler)}
    names |= {"error", "fault", "problem"}
    lines = []
    for node in nodes:
        parts = [node.left, *node.comparators] if isinstance(node, ast.Compare) else []
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") in COMPARING:
            parts = [node.func.value, *node.args]
        lines += [node.lineno for part in parts if _says(part, names)]
    return lines


def test_no_code_compares_words_of_messages():
    files = [path for path in (ROOT / "quizzes").rglob("*.py") if "content" not in path.parts]
    files = [path for path in files if path.name not in OF_PYTHON]
    assert len(files) > 500
    assert [str(path) for path in files if comparisons(path.read_text())] == []


@pytest.mark.parametrize(
    "expression",
    [
        "'view' in str(error)",
        "error.message == 'missing'",
        "error.args[0].startswith('no')",
        "problem.message.removeprefix('key: ')",
        "re.search('NUL', str(error))",
    ],
)
def test_comparison_of_words_is_seen(expression):
    assert comparisons(FOREIGN.format(expression)) == [4]


def test_message_is_key_and_words():
    problems = []
    node = parse_yaml('tag: ""\nlist: []\n"x\\n y": 1', path="a.yaml", problems=problems)
    fields = Fields(node, problems, name="part")
    fields.text("tag")
    fields.text("gone")
    list(fields.list("list"))
    fields.done()
    assert [(problem.key, problem.code, problem.words) for problem in problems] == [
        ("part.tag", "empty", "must not be empty"),
        ("part.gone", "missing", "missing"),
        ("part.list", "empty", "must not be empty"),
        ("part.x\n y", "", "unknown field (known: gone, list, tag)"),
    ]
    assert problems[3].message == "part.x y: unknown field (known: gone, list, tag)"
