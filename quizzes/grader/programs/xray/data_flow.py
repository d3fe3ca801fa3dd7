"""Where the value of an expression goes in a program: a rough answer from its text alone.

A value goes into the expressions around it, through names and arrays that are assigned to, into
arguments of the program's own functions and out of their `return`. What changes an array in place
changes all that the array may be a view of. The order of statements is not looked at. So a value
may go to more places than it does, which must do no harm to the caller.

It must not go to places that are missing here. So a program with anything else that moves values
is not understood at all: generators, classes, comprehensions, functions as values, `out=`, `eval`.

The text is a learner's, so the work is bounded: each name is followed once, and a clock is asked.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Callable, Iterator

from quizzes.grader.programs.xray.clock import Clock

_NOT_UNDERSTOOD = (
    *(ast.Lambda, ast.ClassDef, ast.AsyncFunctionDef, ast.AsyncFor, ast.Await),
    *(ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.Yield, ast.YieldFrom),
    *(ast.With, ast.AsyncWith, ast.Match, ast.Try, ast.TryStar, ast.Delete),
    *(ast.Global, ast.Nonlocal, ast.Starred),
)
# Functions of NumPy and torch whose result is no view of an argument.
_NEW = frozenset(
    (
        *("zeros", "ones", "empty", "full", "eye", "arange", "linspace", "range", "copy", "clone"),
        *("zeros_like", "ones_like", "empty_like", "full_like", "concatenate", "stack", "cat"),
        *("exp", "sin", "cos", "log", "sqrt", "einsum", "matmul", "where", "outer", "power"),
    )
)
_BY_NAME = frozenset(("eval", "exec", "locals", "globals", "vars"))  # names as text
_MOST_TOGETHER = 64  # names in one assignment: each may be a view of every one
_GROWS = ("append", "extend", "insert")  # of a list, the methods that are followed


class FlowNotUnderstoodError(Exception):
    """The program moves values in a way that is not followed here."""


class Flow:
    """What one or more values go into; grows as values are added."""

    def __init__(self) -> None:
        self.users: set[ast.expr] = set()
        self.names: set[str] = set()  # that were followed


class DataFlow:
    """Where the values of a program's expressions go. Raises FlowNotUnderstoodError."""

    def __init__(self, tree: ast.Module, clock: Clock) -> None:
        self._clock = clock
        self._parents: dict[ast.AST, ast.AST] = {}
        self._reads: defaultdict[str, list[ast.expr]] = defaultdict(list)
        self._calls: defaultdict[str, list[ast.expr]] = defaultdict(list)
        self._functions: dict[str, ast.FunctionDef] = {}
        self._views: defaultdict[str, set[str]] = defaultdict(set)
        for node in ast.walk(tree):
            clock.check()
            self._parents |= dict.fromkeys(ast.iter_child_nodes(node), node)
            self._note(node)
        self._refuse_what_is_not_followed()

    def _note(self, node: ast.AST) -> None:
        if isinstance(node, _NOT_UNDERSTOOD):
            raise FlowNotUnderstoodError(type(node).__name__)
        if isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load):
            raise FlowNotUnderstoodError("an attribute is assigned to")
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            if node.id in _BY_NAME:
                raise FlowNotUnderstoodError("names as text")
            self._reads[node.id].append(node)
        elif isinstance(node, ast.Call):
            self._calls[_last_name(node.func)].append(node)
            if any(keyword.arg in (None, "out") for keyword in node.keywords):
                raise FlowNotUnderstoodError("`out=` or `**`")
        elif isinstance(node, ast.FunctionDef):
            self._note_function(node)
        elif isinstance(node, ast.Assign | ast.AnnAssign | ast.For):
            self._note_views(node)

    def _note_function(self, node: ast.FunctionDef) -> None:
        if node.decorator_list or node.args.vararg or node.args.kwarg:
            raise FlowNotUnderstoodError("a function that is decorated, or takes `*args`")
        if not all(map(_is_plain, (*node.args.defaults, *node.args.kw_defaults))):
            raise FlowNotUnderstoodError("a default that is computed")
        if node.name in self._functions:
            raise FlowNotUnderstoodError("two functions of one name")
        self._functions[node.name] = node

    def _note_views(self, node: ast.Assign | ast.AnnAssign | ast.For) -> None:
        value = node.iter if isinstance(node, ast.For) else node.value
        roots = set(_roots(value)) if value is not None else set()
        if len(roots) > _MOST_TOGETHER:
            raise FlowNotUnderstoodError("an assignment of many names")
        for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
            for name in _roots(target):
                self._clock.check()
                self._views[name] |= roots
                for root in roots:
                    self._views[root].add(name)

    def _refuse_what_is_not_followed(self) -> None:
        for name in self._functions:
            for read in self._reads[name]:
                call = self._parents[read]
                if not isinstance(call, ast.Call) or call.func is not read:
                    raise FlowNotUnderstoodError("a function is a value")
        for node, above in self._parents.items():
            if isinstance(above, ast.Expr) and isinstance(node, ast.Call):
                self._refuse_effects(node)
            for name in _changed_names(node):
                function = self._function_around(node)
                if function is not None and self._calls[function.name]:
                    every = {argument.arg for argument in _arguments(function)}
                    if every & self._all_views(name):
                        raise FlowNotUnderstoodError("a function changes its argument")

    def _refuse_effects(self, call: ast.Call) -> None:
        """Raise for a call that stands alone, so has an effect, except printing and lists."""
        func = call.func
        is_list = isinstance(func, ast.Attribute) and func.attr in _GROWS
        if _last_name(func) != "print" and not is_list and not self.is_own_call(call):
            raise FlowNotUnderstoodError("a call for its effect")

    def is_own_call(self, node: ast.expr) -> bool:
        """Say whether an expression calls a function of the program itself."""
        return isinstance(node, ast.Call) and _last_name(node.func) in self._functions

    def add_users(self, flow: Flow, node: ast.expr, ends_at: Callable[[ast.expr], bool]) -> None:
        """Add all expressions that a value goes into; past those of `ends_at` it is not."""
        waiting = [node]
        while waiting:
            self._clock.check()
            for user in self._direct_users(waiting.pop(), flow.names):
                if user not in flow.users:
                    flow.users.add(user)
                    if not ends_at(user):
                        waiting.append(user)

    def chooses(self, node: ast.expr) -> bool:
        """Say whether an expression stands in an index, a range, a comparison or a condition."""
        self._clock.check()
        below: ast.AST = node
        above = self._parents.get(node)
        while above is not None:
            if isinstance(above, ast.Subscript) and below is above.slice:
                return True
            if isinstance(above, ast.Compare):
                return True
            if isinstance(above, ast.Call) and _last_name(above.func) == "range":
                return True
            if isinstance(above, ast.If | ast.While | ast.IfExp | ast.Assert):
                return below is above.test
            if isinstance(above, ast.stmt):
                return False
            below, above = above, self._parents.get(above)
        return False

    def _direct_users(self, node: ast.expr, names: set[str]) -> Iterator[ast.expr]:
        below: ast.AST = node
        above = self._parents.get(node)
        while above is not None:
            if isinstance(above, ast.expr):
                yield above
                yield from self._beside(above, below, names)
                return
            if isinstance(above, ast.Assign | ast.AugAssign | ast.AnnAssign | ast.For):
                for target in above.targets if isinstance(above, ast.Assign) else [above.target]:
                    yield from self._read_target(target, names)
                return
            if isinstance(above, ast.Return):
                function = self._function_around(above)
                if function is not None and f"{function.name}()" not in names:
                    names.add(f"{function.name}()")
                    yield from self._calls[function.name]
                return
            if isinstance(above, ast.stmt):
                return
            below, above = above, self._parents.get(above)

    def _beside(self, above: ast.expr, below: ast.AST, names: set[str]) -> Iterator[ast.expr]:
        """Yield where a value goes that an expression takes, and does not only return."""
        if isinstance(above, ast.NamedExpr):
            yield from self._read(above.target.id, names)
        if not isinstance(above, ast.Call) or below is above.func:
            return
        own = self._functions.get(_last_name(above.func))
        if own is not None:
            for argument in _arguments(own):
                yield from self._read(argument.arg, names)
        if isinstance(above.func, ast.Attribute):  # a method may change its object
            for name in _roots(above.func.value):
                yield from self._read_changed(name, names)

    def _read_target(self, target: ast.expr, names: set[str]) -> Iterator[ast.expr]:
        """Yield what reads the names that a target binds, or whose objects it changes."""
        is_changed = isinstance(target, ast.Subscript)
        is_changed |= isinstance(self._parents.get(target), ast.AugAssign)
        if isinstance(target, ast.Tuple | ast.List):
            for part in target.elts:
                yield from self._read_target(part, names)
            return
        for name in _roots(target):
            yield from self._read_changed(name, names) if is_changed else self._read(name, names)

    def _read(self, name: str, names: set[str]) -> Iterator[ast.expr]:
        """Yield what reads a name, unless it was followed before."""
        if name not in names:
            names.add(name)
            yield from self._reads[name]

    def _read_changed(self, name: str, names: set[str]) -> Iterator[ast.expr]:
        for other in self._all_views(name):
            yield from self._read(other, names)

    def _all_views(self, name: str) -> set[str]:
        """Return the names of all objects that change when the object of a name changes."""
        every, waiting = {name}, [name]
        while waiting:
            self._clock.check()
            more = self._views[waiting.pop()] - every
            every |= more
            waiting += more
        return every

    def _function_around(self, node: ast.AST) -> ast.FunctionDef | None:
        above: ast.AST | None = node
        while above is not None and not isinstance(above, ast.FunctionDef):
            above = self._parents.get(above)
        return above


def _changed_names(node: ast.AST) -> list[str]:
    """Return names of what a statement or call may change in place."""
    if isinstance(node, ast.AugAssign):
        return list(_roots(node.target))
    if isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load):
        return list(_roots(node))
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return list(_roots(node.func.value)) if node.func.attr in _GROWS else []
    return []


def _is_plain(default: ast.expr | None) -> bool:
    """Say whether the default of an argument is a number or a word, or there is none."""
    if isinstance(default, ast.UnaryOp):
        default = default.operand
    return default is None or isinstance(default, ast.Constant)


def _arguments(function: ast.FunctionDef) -> list[ast.arg]:
    every = function.args
    return [*every.posonlyargs, *every.args, *every.kwonlyargs]


def _roots(node: ast.expr) -> Iterator[str]:
    """Yield names whose objects the value of an expression may be, or be a view of."""
    waiting: list[ast.expr] = [node]
    while waiting:
        part = waiting.pop()
        if isinstance(part, ast.Name):
            yield part.id
        elif isinstance(part, ast.Attribute | ast.Subscript):
            waiting.append(part.value)
        elif isinstance(part, ast.Tuple | ast.List):
            waiting += part.elts
        elif isinstance(part, ast.IfExp):
            waiting += (part.body, part.orelse)
        elif isinstance(part, ast.NamedExpr):
            waiting += (part.target, part.value)
        elif isinstance(part, ast.Dict | ast.BoolOp):
            waiting += part.values
        elif isinstance(part, ast.BinOp):  # of lists
            waiting += (item for item in (part.left, part.right) if isinstance(item, ast.List))
        elif isinstance(part, ast.Call) and _last_name(part.func) not in _NEW:
            waiting += (*part.args, *(keyword.value for keyword in part.keywords))
            if isinstance(part.func, ast.Attribute):
                waiting.append(part.func.value)


def _last_name(node: ast.expr) -> str:
    if isinstance(node, ast.Name):
        return node.id
    return node.attr if isinstance(node, ast.Attribute) else ""
