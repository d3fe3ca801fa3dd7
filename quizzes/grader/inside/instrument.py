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

Noting costs more than a number costs to compute. So a block that may run often is in the program
twice: `for ...: body` becomes `for ...: if <plain 0>: body else: noted body`, and the recorder sets
the name once it has seen enough passes. The same holds for bodies of functions, lambdas and
comprehensions. The plain parts come from a second tree of the same text, and are shared where
blocks are nested.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar

MOST_PLACES = 400
NOTE = "<note>"  # a name that no program can have
NOWHERE = -1  # the block of what is in none
Span = tuple[int, int, int, int]  # line from 1, bytes into it, end line, bytes into that

_UNCHANGED = (
    ast.JoinedStr,
    ast.Delete,
    ast.Global,
    ast.Nonlocal,
)
_RECORDED = (ast.BinOp, ast.UnaryOp, ast.Call, ast.Subscript, ast.IfExp, ast.ListComp)
_BODIES = ("body", "orelse", "finalbody")
_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_REPEATED = (*_LOOPS, *_COMPREHENSIONS, ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
Node = TypeVar("Node", bound=ast.AST)


@dataclass
class Places:
    """Where the recorded expressions stand: of each its spans, the first of them its own.

    `blocks`: the innermost block that each stands in, by its number or NOWHERE; `parents`: the same
    of each block. `is_cut`: the program has more expressions than are recorded.
    """

    spans: list[list[Span]] = field(default_factory=list)
    blocks: list[int] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    is_cut: bool = False


def plain_name(block: int) -> str:
    """Return the name that says whether a block runs without notes."""
    return f"<plain {block}>"


def instrument(source: str, filename: str) -> tuple[ast.Module, Places]:
    """Return a program's tree with calls in it, and where the expressions stand that it will note.

    Raises RecursionError or MemoryError for a program that is nested too deeply.
    """
    tree, plain = ast.parse(source, filename), ast.parse(source, filename)
    pairs = zip(ast.walk(tree), ast.walk(plain), strict=True)
    rewriter = _Rewriter({id(node): twin for node, twin in pairs if isinstance(node, _REPEATED)})
    tree.body = rewriter.statements(tree.body)
    return tree, rewriter.places


class _Rewriter:
    def __init__(self, plain: dict[int, Any]) -> None:
        self.places = Places()
        self._plain = plain  # of each node that may run often, by its id, the same unchanged
        self._block = NOWHERE
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
        if isinstance(node, _LOOPS):
            self._loop(node, after)
            return []
        self._fields(node)
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            place = _place_of(node.value)
            if place is not None:
                own = [target for target in node.targets if isinstance(target, ast.Name)]
                self.places.spans[place] += [_span(target) for target in own[:2]]
                return []
        notes = self._read_all_back(after)
        if isinstance(node, ast.With | ast.AsyncWith):
            node.body[:0] = notes
            return []
        return notes

    def _loop(self, node: ast.For | ast.AsyncFor | ast.While, names: list[ast.Name]) -> None:
        plain = self._plain[id(node)]
        if not isinstance(node, ast.While):
            node.target = self._expression(node.target)
            node.iter = self._expression(node.iter)
        with self._new_block(plain.body) as block:
            if isinstance(node, ast.While):
                node.test = self._switched(block, plain.test, self._expression(node.test))
            body = self.statements(node.body)
            node.body = _either(block, plain.body, [*self._read_all_back(names), *body])
        node.orelse = self.statements(node.orelse)

    @contextmanager
    def _new_block(self, body: Sequence[ast.AST]) -> Iterator[int]:
        """Yield the number of a block that may run often; NOWHERE if it cannot be there twice."""
        outer = self._block
        names_others = any(
            isinstance(node, ast.Global | ast.Nonlocal) for part in body for node in ast.walk(part)
        )
        if names_others:  # the compiler wants these before the name is used
            yield NOWHERE
            return
        self.places.parents.append(outer)
        self._block = len(self.places.parents) - 1
        try:
            yield self._block
        finally:
            self._block = outer

    def _switched(self, block: int, plain: ast.expr, noted: ast.expr) -> ast.expr:
        if block == NOWHERE:
            return noted
        return ast.copy_location(ast.IfExp(_asks(block, noted), plain, noted), noted)

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        every = node.args
        arguments = [*every.posonlyargs, *every.args, *every.kwonlyargs]
        plain = self._plain[id(node)].body
        start = 1 if ast.get_docstring(node, clean=False) is not None else 0
        with self._new_block(plain) as block:
            notes = self._read_all_back(arguments)
            body = self.statements(node.body)
            noted = [*notes, *body[start:]]
        node.body = [*body[:start], *_either(block, plain[start:], noted)]

    def _read_all_back(self, nodes: Iterable[ast.Name | ast.arg]) -> list[ast.stmt]:
        return [note for node in nodes if (note := self._read_back(node)) is not None]

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
            plain = self._plain[id(node)].body
            with self._new_block([plain]) as block:
                node.body = self._switched(block, plain, self._expression(node.body))
            return node
        if isinstance(node, _COMPREHENSIONS):
            self._comprehension(node)
        elif isinstance(node, ast.Call):
            self._call(node)
        else:
            self._fields(node)
        if not self._is_recorded(node):
            return node
        place = self._new_place(node)
        return node if place is None else _call(place, node, node)

    def _comprehension(self, node: Any) -> None:
        plain = self._plain[id(node)]
        node.generators[0].iter = self._expression(node.generators[0].iter)
        with self._new_block([]) as block:

            def rewrite(twin: ast.expr, part: ast.expr) -> ast.expr:
                return self._switched(block, twin, self._expression(part))

            pairs = zip(plain.generators, node.generators, strict=True)
            for number, (twin, generator) in enumerate(pairs):
                if number:
                    generator.iter = rewrite(twin.iter, generator.iter)
                generator.ifs = list(map(rewrite, twin.ifs, generator.ifs))
            for name in ("key", "value", "elt"):
                if hasattr(node, name):
                    setattr(node, name, rewrite(getattr(plain, name), getattr(node, name)))

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
        self.places.blocks.append(self._block)
        return len(self.places.spans) - 1


def _call(place: int, value: ast.expr, where: ast.AST) -> ast.Call:
    note = ast.copy_location(ast.Name(NOTE, ast.Load()), where)
    number = ast.copy_location(ast.Constant(place), where)
    return ast.copy_location(ast.Call(note, [number, value], []), where)


def _asks(block: int, where: ast.AST) -> ast.Name:
    return ast.copy_location(ast.Name(plain_name(block), ast.Load()), where)


def _either(block: int, plain: list[ast.stmt], noted: list[ast.stmt]) -> list[ast.stmt]:
    """Return the statements that run a block without notes once the recorder says so."""
    if block == NOWHERE or not plain:
        return noted
    choice = ast.If(_asks(block, plain[0]), plain, noted)
    return [ast.copy_location(choice, plain[0])]


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
