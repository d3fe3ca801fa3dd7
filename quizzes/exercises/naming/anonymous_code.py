"""A submission's code as a known mistake may keep it: nothing in it tells who wrote it.

Comments, docstrings and the layout go: the program is written again from its syntax tree. Names of
people go from what the code names itself and from its texts. A word that the exercise's own files
use is nobody's name there: in a class with a Max, `max` stays.
"""

import ast
import builtins
import keyword
import re
from collections.abc import Collection

SOMEBODY = "x"
LEAST_LETTERS = 3
_DEFINING = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
_WORD = re.compile(r"[^\W\d_]+")
_PARTS = re.compile(r"[A-Z]?[^\W\d_A-Z]+|[A-Z]+(?![^\W\d_A-Z])|\d+|_+")


def anonymous_code(code: str, names: Collection[str], vocabulary: str) -> str:
    """Return the program without comments, docstrings and names of people; "" for no program.

    `vocabulary`: the exercise's own files, whose words stay.
    """
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ""
    own = {node.name for node in ast.walk(tree) if isinstance(node, _DEFINING)}
    own |= {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)
    }
    tree = _Writer(_words_of_people(names, vocabulary), own).visit(tree)
    return ast.unparse(ast.fix_missing_locations(tree)) + "\n"


def _words_of_people(names: Collection[str], vocabulary: str) -> frozenset[str]:
    known = {word.lower() for word in _WORD.findall(vocabulary)}
    known |= {word.lower() for word in (*dir(builtins), *keyword.kwlist)}
    words = {word.lower() for name in names for word in _WORD.findall(name)}
    return frozenset(word for word in words - known if len(word) >= LEAST_LETTERS)


class _Writer(ast.NodeTransformer):
    """Takes out what says who wrote a program. `own`: the attributes that it defines itself."""

    def __init__(self, people: frozenset[str], own: Collection[str]) -> None:
        self._people = people
        self._own = own

    def generic_visit(self, node: ast.AST) -> ast.AST:
        super().generic_visit(node)
        for field in ("name", "id", "arg", "attr", "asname"):
            value = getattr(node, field, None)
            if isinstance(value, str) and (field != "attr" or value in self._own):
                setattr(node, field, self._renamed(value))
        for field in ("names", "kwd_attrs"):
            values = getattr(node, field, None)
            if isinstance(node, ast.Global | ast.Nonlocal) and isinstance(values, list):
                setattr(node, field, [self._renamed(value) for value in values])
        self._without_docstring(node)
        return node

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        if isinstance(node.value, str):
            return ast.copy_location(ast.Constant(self._renamed(node.value)), node)
        return node

    def visit_alias(self, node: ast.alias) -> ast.AST:  # a module keeps its name
        if node.asname:
            node.asname = self._renamed(node.asname)
        return node

    def _renamed(self, text: str) -> str:
        def other(part: re.Match[str]) -> str:
            return SOMEBODY if part[0].lower() in self._people else part[0]

        return _PARTS.sub(other, text) if self._people else text

    def _without_docstring(self, node: ast.AST) -> None:
        """Take every text out that stands as a statement: docstrings, and comments in quotes."""
        for field in ("body", "orelse", "finalbody"):
            body = getattr(node, field, None)
            if not isinstance(body, list):
                continue
            rest = [line for line in body if not _is_text(line)]
            if len(rest) < len(body):
                is_module = isinstance(node, ast.Module)
                empty = field == "body" and not rest and not is_module
                setattr(node, field, [ast.Pass()] if empty else rest)


def _is_text(line: object) -> bool:
    return (
        isinstance(line, ast.Expr)
        and isinstance(line.value, ast.Constant)
        and isinstance(line.value.value, str)
    )
