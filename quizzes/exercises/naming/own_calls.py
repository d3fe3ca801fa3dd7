"""Whose keywords the calls of a program have: its own functions', a library's, or either's.

A parameter can get a fresh name only if every call that names it is known to be the program's own.
A variable or an attribute may hold a function of NumPy, and a library may call a method that the
program overrides: keywords of such calls stay as they are, and so do the parameters of that name.
"""

import ast
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field


@dataclass
class _Callee:
    """The parameters of every function or class of one name."""

    parameters: set[str] = field(default_factory=set)
    takes_any: bool = False  # has **keywords

    def add(self, arguments: ast.arguments) -> None:
        self.parameters.update(arg.arg for arg in (*arguments.args, *arguments.kwonlyargs))
        self.takes_any = self.takes_any or arguments.kwarg is not None


class OwnCalls:
    """The functions, classes and methods of a program, for its calls.

    `imported`, `built_in`: names of libraries; `of_libraries`: their attributes.
    """

    def __init__(
        self,
        nodes: Collection[ast.AST],
        imported: Collection[str],
        built_in: Collection[str],
        of_libraries: Collection[str],
    ) -> None:
        self._functions: dict[str, _Callee] = {}
        self._methods: dict[str, _Callee] = {}
        in_classes = {
            id(line) for node in nodes if isinstance(node, ast.ClassDef) for line in node.body
        }
        for node in nodes:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                place = self._methods if id(node) in in_classes else self._functions
                place.setdefault(node.name, _Callee()).add(node.args)
            elif isinstance(node, ast.ClassDef):
                _add_class(self._functions.setdefault(node.name, _Callee()), node)
        variables = {name for node in nodes for name in _variables(node)}
        stored = {
            node.attr
            for node in nodes
            if isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load)
        }
        libraries = (set(imported) | set(built_in)) - variables - set(self._functions)
        self._libraries = libraries
        for name in variables | set(imported):
            self._functions.pop(name, None)
        for name in stored | variables | set(of_libraries):
            self._methods.pop(name, None)
        self._texts = {
            node.value
            for node in nodes
            if isinstance(node, ast.Constant) and isinstance(node.value, str)
        }
        calls = [node for node in nodes if isinstance(node, ast.Call)]
        keywords = [(call, word.arg) for call in calls for word in call.keywords if word.arg]
        self.own = {word for call, word in keywords if self.is_own(call, word)}
        self.unsure = {
            word
            for call, word in keywords
            if not (self.is_own(call, word) or self._is_of_library(call))
        }

    def is_own(self, call: ast.Call, word: str) -> bool:
        """Say whether a keyword of a call surely is a parameter of the program's own function."""
        called = _called(call)
        callee = None
        if isinstance(called, ast.Name):
            callee = self._functions.get(called.id)
        elif isinstance(called, ast.Attribute) and not self._begins_in_library(called):
            callee = self._methods.get(called.attr)
        if callee is None:
            return False
        return word in callee.parameters or (callee.takes_any and word in self._texts)

    def _is_of_library(self, call: ast.Call) -> bool:
        """Say whether a call surely is a library's, which calls no function of the program."""
        called = _called(call)
        if not self._begins_in_library(called):
            return False
        if (called.attr if isinstance(called, ast.Attribute) else _name(called)) == "replace":
            return False  # of dataclasses: its keywords are fields
        return not any(_name(argument) in self._functions for argument in call.args)

    def _begins_in_library(self, node: ast.expr) -> bool:
        while isinstance(node, ast.Attribute):
            node = node.value
        return _name(node) in self._libraries - {"self", "cls"}


def _called(call: ast.Call) -> ast.expr:
    """Return what gets the keywords of a call: the function in it for `partial`."""
    function = call.func
    name = function.attr if isinstance(function, ast.Attribute) else _name(function)
    return call.args[0] if name == "partial" and call.args else function


def _name(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else ""


def _add_class(callee: _Callee, node: ast.ClassDef) -> None:
    """Add the parameters of a class: those of its `__init__`, the fields of a dataclass without."""
    for line in node.body:
        if isinstance(line, ast.FunctionDef) and line.name == "__init__":
            callee.add(line.args)
            return
    if node.decorator_list:
        fields = (line.target for line in node.body if isinstance(line, ast.AnnAssign))
        callee.parameters.update(map(_name, fields))


def _variables(node: ast.AST) -> Iterator[str]:
    """Yield the names that a node binds to anything but a function or a class of the program."""
    if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
        yield node.id
    elif isinstance(node, ast.arg):
        yield node.arg
    elif isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar) and node.name:
        yield node.name
    elif isinstance(node, ast.MatchMapping) and node.rest:
        yield node.rest
