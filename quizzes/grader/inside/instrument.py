"""A program that notes what its expressions were: its syntax tree, with calls around expressions.

`x @ w + b` becomes `note(2, note(0, x @ w) + b)`: the recorder is called with the place of the
expression and its value, and returns the value. Nothing is evaluated twice, in another order, or
not at all.

So some expressions are left alone. `a and b` and `a < b < c` are asked for their truth once where
they stand in an `if`; as an argument they would be asked twice, which a class may notice. What the
compiler reads itself is not rewritten: annotations, patterns of `match`, texts with values in them,
targets of `del`, decorators, defaults. A generator is not looked at, since looking would use it up;
what it computes is.

A name that is bound by an assignment, a loop or an argument is read once more right after that.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

MOST_PLACES = 400
NOTE = "<note>"  # a name that no program can have
Span = tuple[int, int, int, int]  # line from 1, bytes into it, end line, bytes into that

_UNCHANGED = (
    ast.JoinedStr,
    ast.Delete,
    ast.Global,
    ast.Nonlocal,
)
_RECORDED = (ast.BinOp, ast.UnaryOp, ast.Call, ast.Subscript, ast.IfExp, ast.ListComp)
_BODIES = ("body", "orelse", "finalbody")
Node = TypeVar("Node", bound=ast.AST)


@dataclass
class Places:
    """Where the recorded expressions stand: of each its spans, the first of them its own.

    `is_cut`: the program has more expressions than are recorded.
    """

    spans: list[list[Span]] = field(default_factory=list)
    is_cut: bool = False


def instrument(tree: ast.Module) -> Places:
    """Rewrite a program in place, and return where the expressions stand that it will note.

    Raises RecursionError for a tree that is too deep.
    """
    rewriter = _Rewriter()
    tree.body = rewriter.statements(tree.body)
    ast.fix_missing_locations(tree)
    return rewriter.places


class _Rewriter:
    def __init__(self) -> None:
        self.places = Places()
        self._modules: set[str] = set()  # names of imported modules: their values say nothing

    # ---- statements

    def statements(self, body: Sequence[ast.stmt]) -> list[ast.stmt]:
        rewritten: list[ast.stmt] = []
        for statement in body:
            after = self._statement(statement)
            rewritten.append(statement)
            rewritten += after
        return rewritten

    def _statement(self, node: ast.stmt) -> list[ast.stmt]:
        """Rewrite one statement in place, and return what is to follow it."""
        if isinstance(node, ast.Import | ast.ImportFrom):
            self._modules |= {(name.asname or name.name).split(".")[0] for name in node.names}
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            self._function(node)
        elif isinstance(node, ast.ClassDef):
            self._class(node)
        elif isinstance(node, ast.Match):
            self._match(node)
        elif not isinstance(node, _UNCHANGED):
            return self._plain_statement(node)
        return []

    def _class(self, node: ast.ClassDef) -> None:
        """Rewrite the functions of a class alone.

        A metaclass may give the class a namespace of its own, which would notice names that are
        read there, the recorder's too.
        """
        for statement in node.body:
            if isinstance(statement, ast.ClassDef):
                self._class(statement)
            elif isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
                self._function(statement)

    def _match(self, node: ast.Match) -> None:
        node.subject = self._expression(node.subject)
        for case in node.cases:
            if case.guard is not None:
                case.guard = self._expression(case.guard)
            case.body = self.statements(case.body)

    def _plain_statement(self, node: ast.stmt) -> list[ast.stmt]:
        after = _bindings(node)
        self._fields(node)
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            place = _place_of(node.value)
            if place is not None:
                own = [target for target in node.targets if isinstance(target, ast.Name)]
                self.places.spans[place] += [_span(target) for target in own[:2]]
                return []
        notes = [note for name in after if (note := self._read_back(name)) is not None]
        if isinstance(node, ast.For | ast.AsyncFor | ast.With | ast.AsyncWith):
            node.body[:0] = notes
            return []
        return notes

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        every = node.args
        arguments = [*every.posonlyargs, *every.args, *every.kwonlyargs]
        notes = [note for item in arguments if (note := self._read_back(item)) is not None]
        body = self.statements(node.body)
        start = 1 if ast.get_docstring(node, clean=False) is not None else 0
        node.body = [*body[:start], *notes, *body[start:]]

    def _read_back(self, node: ast.Name | ast.arg) -> ast.stmt | None:
        name = node.id if isinstance(node, ast.Name) else node.arg
        place = self._new_place(node, end=len(name.encode()))
        if place is None:
            return None
        read = ast.copy_location(ast.Name(name, ast.Load()), node)
        note = _call(place, read, node)
        return ast.copy_location(ast.Expr(note), node)

    # ---- expressions

    def _fields(self, node: ast.AST) -> None:
        """Rewrite the parts of a node in place; the order in which they are evaluated stays."""
        for name, value in ast.iter_fields(node):
            if name in ("annotation", "returns", "decorator_list", "type_params"):
                continue
            if name in _BODIES and isinstance(value, list):
                setattr(node, name, self.statements(value))
            elif isinstance(value, list):
                setattr(node, name, [self._part(item) for item in value])
            elif isinstance(value, ast.AST):
                setattr(node, name, self._part(value))

    def _part(self, node: Any) -> Any:
        if isinstance(node, ast.expr):
            return self._expression(node)
        if isinstance(node, ast.AST):  # a keyword, a comprehension, a handler, an item of `with`
            self._fields(node)
        return node

    def _expression(self, node: ast.expr) -> ast.expr:
        if isinstance(node, _UNCHANGED):
            return node
        if isinstance(node, ast.Lambda):
            node.body = self._expression(node.body)
            return node
        if isinstance(node, ast.Call):
            self._call(node)
        else:
            self._fields(node)
        if not self._is_recorded(node):
            return node
        place = self._new_place(node)
        return node if place is None else _call(place, node, node)

    def _call(self, node: ast.Call) -> None:
        """Rewrite a call; what is called is a function, which says nothing, but not its object."""
        if isinstance(node.func, ast.Attribute):
            node.func.value = self._expression(node.func.value)
        elif not isinstance(node.func, ast.Name):
            node.func = self._expression(node.func)
        node.args = [self._expression(item) for item in node.args]
        for keyword in node.keywords:
            keyword.value = self._expression(keyword.value)

    def _is_recorded(self, node: ast.expr) -> bool:
        if isinstance(getattr(node, "ctx", None), ast.Store | ast.Del):
            return False
        if isinstance(node, ast.Name | ast.Attribute):
            return not self._is_of_module(node)
        if isinstance(node, ast.UnaryOp):
            return not isinstance(node.operand, ast.Constant)
        if isinstance(node, ast.Compare):
            return len(node.ops) == 1
        return isinstance(node, _RECORDED)

    def _is_of_module(self, node: ast.expr) -> bool:
        while isinstance(node, ast.Attribute):
            node = node.value
        return isinstance(node, ast.Name) and node.id in self._modules

    def _new_place(self, node: ast.expr | ast.arg, end: int = 0) -> int | None:
        if len(self.places.spans) >= MOST_PLACES:
            self.places.is_cut = True
            return None
        span = _span(node)
        if end:  # an argument's span has its annotation too
            span = (*span[:2], span[0], span[1] + end)
        self.places.spans.append([span])
        return len(self.places.spans) - 1


def _call(place: int, value: ast.expr, where: ast.AST) -> ast.Call:
    note = ast.Name(NOTE, ast.Load())
    return ast.copy_location(ast.Call(note, [ast.Constant(place), value], []), where)


def _place_of(node: ast.expr) -> int | None:
    """Return the place at which an expression is noted; None where it is not."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == NOTE:
        place = node.args[0]
        assert isinstance(place, ast.Constant)
        assert isinstance(place.value, int)
        return place.value
    return None


def _bindings(node: ast.stmt) -> list[ast.Name]:
    """Return the names that a statement binds once it has run, or begins its block."""
    targets: list[ast.expr] = []
    if isinstance(node, ast.Assign):
        targets = node.targets
    elif isinstance(node, ast.AugAssign | ast.For | ast.AsyncFor):
        targets = [node.target]
    elif isinstance(node, ast.AnnAssign):
        targets = [node.target] if node.value is not None else []
    elif isinstance(node, ast.With | ast.AsyncWith):
        targets = [item.optional_vars for item in node.items if item.optional_vars is not None]
    return [name for target in targets for name in _names(target)]


def _names(target: ast.expr) -> list[ast.Name]:
    return list(_walk_names(target))


def _walk_names(target: ast.expr) -> Iterator[ast.Name]:
    if isinstance(target, ast.Name):
        yield target
    elif isinstance(target, ast.Tuple | ast.List):
        for item in target.elts:
            yield from _walk_names(item)
    elif isinstance(target, ast.Starred):
        yield from _walk_names(target.value)


def _span(node: ast.expr | ast.arg) -> Span:
    end_line, end = node.end_lineno, node.end_col_offset
    return node.lineno, node.col_offset, end_line or node.lineno, end or node.col_offset
