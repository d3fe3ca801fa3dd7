"""A recording laid over the program's syntax tree: which recorded expressions one is made of."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from quizzes.grader.programs.xray.clock import Clock
from quizzes.grader.protocol.recording import RecordedExpression, Recording, Span

_COMPUTED = (ast.BinOp, ast.UnaryOp, ast.Call, ast.Subscript, ast.IfExp, ast.ListComp)


@dataclass(frozen=True)
class RecordedProgram:
    """The text of a program, and what its expressions were on a case."""

    source: str
    recording: Recording


class RecordedTree:
    """The expressions of a program that were recorded, in the order in which they first ran.

    Raises what `ast.parse` raises, and TimeIsUpError.
    """

    def __init__(self, program: RecordedProgram, clock: Clock) -> None:
        self.tree = ast.parse(program.source)
        self.expressions = program.recording.expressions
        self._clock = clock
        self._at = {span: item for item in self.expressions for span in item.spans}
        self._nodes: dict[Span, ast.expr] = {}
        for node in ast.walk(self.tree):
            clock.check()
            if isinstance(node, ast.expr) and span_of(node) in self._at:
                self._nodes.setdefault(span_of(node), node)

    def recorded(self, node: ast.expr) -> RecordedExpression | None:
        """Return what was recorded of an expression."""
        return self._at.get(span_of(node))

    def computed(self) -> Iterator[tuple[ast.expr, RecordedExpression]]:
        """Yield the expressions that compute something: operators, calls and parts of arrays."""
        for node, expression in self.all():
            if isinstance(node, _COMPUTED):
                yield node, expression

    def all(self) -> Iterator[tuple[ast.expr, RecordedExpression]]:
        """Yield all recorded expressions that stand in the program."""
        for expression in self.expressions:
            node = self._nodes.get(expression.spans[0])
            if node is not None:
                yield node, expression

    def parts(self, node: ast.AST) -> list[ast.expr]:
        """Return the nearest recorded expressions that one is made of."""
        parts: list[ast.expr] = []
        waiting = list(ast.iter_child_nodes(node))[::-1]
        while waiting:
            self._clock.check()
            child = waiting.pop()
            if isinstance(child, ast.expr) and span_of(child) in self._at:
                parts.append(child)
            else:
                waiting += list(ast.iter_child_nodes(child))[::-1]
        return parts


def is_computed(node: ast.expr) -> bool:
    """Say whether an expression computes something, and does not only name it."""
    return isinstance(node, _COMPUTED)


def span_of(node: ast.expr) -> Span:
    """Return where an expression stands."""
    end_line, end = node.end_lineno, node.end_col_offset
    return node.lineno, node.col_offset, end_line or node.lineno, end or node.col_offset
