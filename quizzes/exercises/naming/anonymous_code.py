"""A submission's code as a known mistake may keep it: nothing in it tells who wrote it.

No list of people is looked through: a nickname, a friend or a number is on none. What the program's
author chose goes instead, whatever it is: comments, docstrings and the layout, every name that is
neither the exercise's nor a library's, every text that neither the exercise nor NumPy knows. What
remains is listed (`remains_of`), for an editor to read.

Each name becomes the same fresh name everywhere, so the program gives what it gave, unless it
computes with names or texts. The proof of a draft says whether it still does.
"""

import ast
import builtins
import keyword
import math
import re
import sys
from collections.abc import Collection, Iterator
from itertools import chain, count
from typing import Any

import numpy as np

from quizzes.exercises.naming.library_words import (
    ARRAY_WORDS,
    MODULE_WORDS,
    TEXTS,
    is_format,
    is_pattern,
)
from quizzes.exercises.naming.own_calls import OwnCalls

FEWEST_DIGITS = 5  # of a number that may be somebody's
_FAILURES = (SyntaxError, ValueError, RecursionError, MemoryError)
_WORD = re.compile(r"\w+")
_BUILT_IN = (
    frozenset(dir(builtins))
    | frozenset(keyword.kwlist)
    | {*("self", "cls", "_", "np", "nn", "numpy", "torch")}
)
_OF_LIBRARIES = frozenset(
    chain.from_iterable(
        dir(thing)
        for thing in (np, np.ndarray, math, object, str, bytes, list, dict, set, tuple, complex)
    )
) | frozenset(ARRAY_WORDS | MODULE_WORDS)
_BINDING = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.ExceptHandler | ast.MatchAs


def anonymous_code(code: str, vocabulary: str) -> str:
    """Return the program without what its author chose; "" for what cannot be taken over.

    `vocabulary`: the exercise's own files, whose names and texts stay.
    """
    try:
        tree = ast.parse(code)
        known = _Vocabulary(vocabulary)
        tree = _Writer(_Names(tree, known), known).visit(tree)
        return ast.unparse(ast.fix_missing_locations(tree)) + "\n"
    except _FAILURES:
        return ""


def remains_of(code: str, vocabulary: str) -> list[str]:
    """Return what neither the exercise nor a library knows: comments, texts, long numbers, names.

    Code that is no program is to be read whole: nothing is returned.
    """
    try:
        tree = ast.parse(code)
        words = dict.fromkeys(chain(_comments(code), _remains(tree, _Vocabulary(vocabulary))))
    except _FAILURES:
        return []
    return list(words)


def _comments(code: str) -> Iterator[str]:
    lines = (line.partition("#") for line in code.splitlines())
    return (f"#{words}" for _, mark, words in lines if mark)


def _remains(tree: ast.AST, vocabulary: "_Vocabulary") -> Iterator[str]:
    known = {*vocabulary.words, *_BUILT_IN, *_OF_LIBRARIES, *sys.stdlib_module_names}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant):
            value = node.value
            text = value.decode("latin-1") if isinstance(value, bytes) else value
            if isinstance(text, str):
                if not (_is_neutral(text) or vocabulary.knows(text)):
                    yield repr(value)
            elif isinstance(value, int | float | complex):
                digits = str(value)
                if len(digits) >= FEWEST_DIGITS and digits not in vocabulary.files:
                    yield digits
        for name in _names_in(node):
            for word in name.split("."):
                if word and word not in known and not (_is_letter(word) or _is_neutral(word)):
                    yield word


def _names_in(node: ast.AST) -> Iterator[str]:
    """Yield every name that a node holds itself."""
    for field in ("name", "id", "arg", "attr", "asname", "rest", "module"):
        value = getattr(node, field, None)
        if isinstance(value, str):
            yield value
    if isinstance(node, ast.Global | ast.Nonlocal):
        yield from node.names
    if isinstance(node, ast.MatchClass):
        yield from node.kwd_attrs


def _is_neutral(word: str) -> bool:
    return re.fullmatch(r"(name|text)_\d+", word) is not None


def _is_letter(word: str) -> bool:
    """Say whether a word is one letter that is nobody's; one of another script may be a name."""
    return len(word) == 1 and word.isascii()


class _Vocabulary:
    """The exercise's own files, whose names and texts stay; `words`: what is in them."""

    def __init__(self, files: str) -> None:
        self.files = files
        self.words = frozenset(_WORD.findall(files))

    def knows(self, text: str) -> bool:
        """Say whether a text is the exercise's or a library's, or has no letter and few digits."""
        if text in self.words or text in TEXTS or text in _OF_LIBRARIES or _is_letter(text):
            return True
        if not re.search(r"[^\W_]", text):
            return True
        if sum(map(str.isdigit, text)) < FEWEST_DIGITS and (is_format(text) or is_pattern(text)):
            return True
        if _WORD.fullmatch(text):  # it would be one of the words
            return False
        return any(word in self.files for word in (f'"{text}"', f"'{text}'"))


class _Names:
    """The names of a program that its author chose, each with a fresh one.

    `attributes`: those that may stand after a dot. `imported`: names that stand for libraries.
    `calls`: which keywords are the program's own.
    """

    def __init__(self, tree: ast.AST, vocabulary: _Vocabulary) -> None:
        nodes = list(ast.walk(tree))
        used = set(chain.from_iterable(map(_names_in, nodes)))
        words = vocabulary.words
        self.imported = set(chain.from_iterable(map(_imported, nodes)))
        self.calls = OwnCalls(nodes, self.imported, _BUILT_IN, _OF_LIBRARIES)
        stay = (
            words
            | self.calls.unsure
            | _BUILT_IN
            | set(chain.from_iterable(map(_imported_as_is, nodes)))
        )
        in_classes = set(chain.from_iterable(map(_bound_in_class, nodes)))
        self.attributes = in_classes | set(self._attributes(nodes))
        self.attributes -= stay | _OF_LIBRARIES
        own = set(chain.from_iterable(map(_bound, nodes))) | set(_unknown(nodes)) | self.calls.own
        own = (own - (in_classes & _OF_LIBRARIES)) | self.attributes
        own = {name for name in own - stay if not (_is_letter(name) or _is_special(name))}
        self.attributes &= own
        fresh = (name for name in map("name_{}".format, count(1)) if name not in used | words)
        order = dict.fromkeys(name for node in nodes for name in _names_in(node) if name in own)
        self.fresh = {name: next(fresh) for name in order}

    def is_imported(self, node: ast.AST) -> bool:
        """Say whether an expression with dots begins with the name of a library."""
        while isinstance(node, ast.Attribute):
            node = node.value
        return isinstance(node, ast.Name) and node.id in self.imported

    def _attributes(self, nodes: Collection[ast.AST]) -> Iterator[str]:
        """Yield attributes that the program sets, some by a text: `register_buffer("pe", p)`."""
        texts = {node.value for node in nodes if isinstance(node, ast.Constant)}
        for node in nodes:
            if not isinstance(node, ast.Attribute) or self.is_imported(node):
                continue
            if not isinstance(node.ctx, ast.Load) or node.attr in texts:
                yield node.attr


def _is_special(name: str) -> bool:
    return name.startswith("__") and name.endswith("__")


def _bound(node: ast.AST) -> Iterator[str]:
    """Yield the names that a node gives to something."""
    if isinstance(node, ast.Name):
        if not isinstance(node.ctx, ast.Load):
            yield node.id
    elif isinstance(node, ast.Import | ast.ImportFrom):
        yield from (name.asname for name in node.names if name.asname)
    elif not isinstance(node, ast.Attribute | ast.keyword | ast.alias):
        yield from _names_in(node)


def _bound_in_class(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.ClassDef):
        for line in node.body:
            if isinstance(line, _BINDING):
                yield from _names_in(line)
                continue
            for part in ast.walk(line):
                yield from _bound(part) if isinstance(part, ast.Name) else ()


def _unknown(nodes: Collection[ast.AST]) -> Iterator[str]:
    """Yield the names that are read: whatever nobody gave is an error by any other name as well."""
    if any(isinstance(node, ast.alias) and node.name == "*" for node in nodes):
        return
    for node in nodes:
        if isinstance(node, ast.Name):
            yield node.id


def _imported(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Import | ast.ImportFrom):
        for name in node.names:
            yield name.asname or name.name.partition(".")[0]


def _imported_as_is(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Import | ast.ImportFrom):
        yield from (name.name.partition(".")[0] for name in node.names if not name.asname)


class _Writer(ast.NodeTransformer):
    """Puts fresh names and neutral texts into a program."""

    def __init__(self, names: _Names, vocabulary: _Vocabulary) -> None:
        self._names = names
        self._vocabulary = vocabulary
        self._texts: dict[str, str] = {}

    def generic_visit(self, node: ast.AST) -> ast.AST:
        super().generic_visit(node)
        for field in ("name", "id", "arg", "asname", "rest"):
            value = getattr(node, field, None)
            if isinstance(value, str) and not isinstance(node, ast.keyword):
                setattr(node, field, self._name(value))
        self._without_texts(node)
        return node

    def visit_alias(self, node: ast.alias) -> ast.AST:  # what is imported keeps its name
        node.asname = self._name(node.asname) if node.asname else None
        return node

    def visit_Global(self, node: ast.Global) -> ast.AST:
        node.names = [self._name(name) for name in node.names]
        return node

    def visit_Nonlocal(self, node: ast.Nonlocal) -> ast.AST:
        node.names = [self._name(name) for name in node.names]
        return node

    def visit_MatchClass(self, node: ast.MatchClass) -> ast.AST:
        node.kwd_attrs = [self._name(name) for name in node.kwd_attrs]
        return self.generic_visit(node)

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        if node.attr in self._names.attributes and not self._names.is_imported(node):
            node.attr = self._name(node.attr)
        return self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        is_dict = _called(node) == "dict"
        for argument in node.keywords:
            if argument.arg and self._names.calls.is_own(node, argument.arg):
                argument.arg = self._name(argument.arg)
            elif argument.arg and is_dict:
                argument.arg = self._text(argument.arg)
        if _called(node) == "einsum":  # its texts are no words
            node.func = self.visit(node.func)
            node.args = [arg if _is_text(arg) else self.visit(arg) for arg in node.args]
            node.keywords = [self.visit(argument) for argument in node.keywords]
            return node
        return self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> Any:
        text = node.left.value if isinstance(node.left, ast.Constant) else None
        if isinstance(node.op, ast.Mod) and (
            isinstance(text, bytes) or (isinstance(text, str) and self._text(text) != text)
        ):
            return self.visit(node.left)  # a text without the places that the right side fills
        return self.generic_visit(node)

    def visit_FormattedValue(self, node: ast.FormattedValue) -> ast.AST:
        node.value = self.visit(node.value)
        spec = node.format_spec
        if isinstance(spec, ast.JoinedStr):
            known = all(
                is_format(str(part.value)) for part in spec.values if isinstance(part, ast.Constant)
            )
            spec.values = [
                self.visit(part) if isinstance(part, ast.FormattedValue) else part
                for part in spec.values
            ]
            node.format_spec = spec if known else None
        return node

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        value = node.value
        if isinstance(value, str):
            return ast.copy_location(ast.Constant(self._text(value)), node)
        if isinstance(value, bytes):
            text = self._text(value.decode("latin-1"))
            return ast.copy_location(ast.Constant(text.encode("latin-1", "replace")), node)
        return node

    def _name(self, name: str) -> str:
        return self._names.fresh.get(name, name)

    def _text(self, text: str) -> str:
        """Return the same text for the same text: what compares texts still does."""
        if text in self._names.fresh and text not in _OF_LIBRARIES:
            return self._name(text)
        if text in self._names.calls.unsure or self._vocabulary.knows(text):
            return text
        return self._texts.setdefault(text, f"text_{len(self._texts) + 1}")

    def _without_texts(self, node: ast.AST) -> None:
        """Take every text out that stands as a statement: docstrings, and comments in quotes."""
        for field in ("body", "orelse", "finalbody"):
            body = getattr(node, field, None)
            if not isinstance(body, list):
                continue
            rest = [line for line in body if not _is_remark(line)]
            if len(rest) < len(body):
                is_module = isinstance(node, ast.Module)
                may_be_empty = is_module or (field != "body" and not isinstance(node, ast.Try))
                setattr(node, field, rest if rest or may_be_empty else [ast.Pass()])


def _called(node: ast.Call) -> str:
    function = node.func
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def _is_text(node: object) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str | bytes)


def _is_remark(line: object) -> bool:
    """Say whether a statement is a text or a number, which does nothing."""
    if not isinstance(line, ast.Expr):
        return False
    value = line.value
    return isinstance(value, ast.JoinedStr) or (
        isinstance(value, ast.Constant) and value.value is not Ellipsis
    )
