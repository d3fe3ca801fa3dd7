"""Where the value of an expression goes in a program: a rough answer from its text alone.

A value goes into the expressions around it, through names, attributes and arrays that are assigned
to, into arguments of the program's own functions and out of their `return`. The order of statements
and which object a name stands for are not looked at. So it may go to more places than it does, and
whoever asks must be safe then.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Callable, Iterator

from quizzes.grader.protocol.recording import Span

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


class DataFlow:
    """The expressions of a program, their parts, and where their values go."""

    def __init__(self, source: str) -> None:
        tree = ast.parse(source)
        self._parents: dict[ast.AST, ast.AST] = {}
        self._reads: defaultdict[str, list[ast.expr]] = defaultdict(list)
        self._calls: defaultdict[str, list[ast.expr]] = defaultdict(list)
        self._functions: dict[str, ast.FunctionDef | ast.AsyncFunctionDef] = {}
        self._nodes: dict[Span, ast.expr] = {}
        for node in ast.walk(tree):
            self._parents |= dict.fromkeys(ast.iter_child_nodes(node), node)
            if isinstance(node, ast.expr):
                self._nodes[span_of(node)] = node
            if isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Load):
                self._reads[_name(node)].append(node)
            elif isinstance(node, ast.Call):
                self._calls[_last_name(node.func)].append(node)
            elif isinstance(node, _FUNCTIONS):
                self._functions[node.name] = node

    def node(self, span: Span) -> ast.expr | None:
        """Return the expression that stands there."""
        return self._nodes.get(span)

    def is_own_call(self, node: ast.expr) -> bool:
        """Say whether an expression calls a function of the program itself."""
        return isinstance(node, ast.Call) and _last_name(node.func) in self._functions

    def users(self, node: ast.expr, ends_at: Callable[[ast.expr], bool]) -> set[ast.expr]:
        """Return all expressions that the value goes into; past those of `ends_at` it is not."""
        seen: set[ast.expr] = set()
        waiting = [node]
        while waiting:
            for user in self._direct_users(waiting.pop()):
                if user not in seen:
                    seen.add(user)
                    if not ends_at(user):
                        waiting.append(user)
        return seen

    def chooses(self, node: ast.expr) -> bool:
        """Say whether an expression stands in an index, a range or a condition."""
        below: ast.AST = node
        above = self._parents.get(node)
        while above is not None:
            if isinstance(above, ast.Subscript) and below is above.slice:
                return True
            if isinstance(above, ast.Call) and _last_name(above.func) == "range":
                return True
            if isinstance(above, ast.If | ast.While | ast.IfExp):
                return below is above.test
            if isinstance(above, ast.stmt):
                return False
            below, above = above, self._parents.get(above)
        return False

    def _direct_users(self, node: ast.expr) -> Iterator[ast.expr]:
        below: ast.AST = node
        above = self._parents.get(node)
        while above is not None:
            if isinstance(above, ast.expr):
                yield above
                yield from self._beside(above, below)
                return
            if isinstance(above, ast.comprehension):
                yield from self._read(above.target)
            elif isinstance(above, ast.Assign | ast.AugAssign | ast.AnnAssign | ast.For):
                for target in above.targets if isinstance(above, ast.Assign) else [above.target]:
                    yield from self._read(target)
                return
            elif isinstance(above, ast.Return):
                yield from self._calls[self._function_around(above)]
                return
            elif isinstance(above, ast.stmt):
                return
            below, above = above, self._parents.get(above)

    def _beside(self, above: ast.expr, below: ast.AST) -> Iterator[ast.expr]:
        """Yield where a value goes that an expression takes, and does not only return."""
        if isinstance(above, ast.NamedExpr):
            yield from self._reads[above.target.id]
        if not isinstance(above, ast.Call) or below is above.func:
            return
        own = self._functions.get(_last_name(above.func))
        if own is not None:
            for argument in (*own.args.posonlyargs, *own.args.args, *own.args.kwonlyargs):
                yield from self._reads[argument.arg]
        if isinstance(above.func, ast.Attribute):  # a method may change its object
            yield from self._read(above.func.value)

    def _read(self, target: ast.expr) -> Iterator[ast.expr]:
        """Yield what reads the names that a target binds, or whose objects it changes."""
        if isinstance(target, ast.Name | ast.Attribute):
            yield from self._reads[_name(target)]
        elif isinstance(target, ast.Subscript | ast.Starred):
            yield from self._read(target.value)
        elif isinstance(target, ast.Tuple | ast.List):
            for part in target.elts:
                yield from self._read(part)

    def _function_around(self, node: ast.AST) -> str:
        above: ast.AST | None = node
        while above is not None and not isinstance(above, _FUNCTIONS):
            above = self._parents.get(above)
        return above.name if isinstance(above, _FUNCTIONS) else ""


def span_of(node: ast.expr) -> Span:
    """Return where an expression stands."""
    end_line, end = node.end_lineno, node.end_col_offset
    return node.lineno, node.col_offset, end_line or node.lineno, end or node.col_offset


def _name(node: ast.Name | ast.Attribute) -> str:
    return node.id if isinstance(node, ast.Name) else f".{node.attr}"


def _last_name(node: ast.expr) -> str:
    if isinstance(node, ast.Name):
        return node.id
    return node.attr if isinstance(node, ast.Attribute) else ""
