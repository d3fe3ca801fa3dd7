"""Where a wrong program leaves the right ones: the first expression of a value that none has.

Expressions are looked at in the order in which they ran. The place is one whose value is foreign to
all right solutions (`value_relations`), while each of its parts, and all that these were computed
from, has a value of a right solution or one of which nothing can be said. At most one is named.

A right solution may go another way: `base ** (2 * i / d)`, where the others have its reciprocal.
So there is no place

- where its value leads to one that right solutions have, or a related one: it was another way;
- in an index, a range or a condition, nor where whole numbers lead to one;
- in the shape of an array, nor in what `empty` leaves;
- where a right solution has the expression word for word: a value that it takes is the mistake,
  right as it is somewhere else;
- where an argument has half precision: each way rounds to other numbers;
- below a foreign value that was passed over for one of these reasons, until a value is right again.

Silence costs a learner nothing; a false place costs them an evening. `tools/place_table.py` counts
both.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from quizzes.grader.programs.xray.data_flow import DataFlow, span_of
from quizzes.grader.programs.xray.value_relations import Relation, RightValues
from quizzes.grader.protocol.recording import RecordedExpression, Recording, Span

_COMPUTED = (ast.BinOp, ast.UnaryOp, ast.Call, ast.Subscript, ast.IfExp, ast.ListComp)
_RIGHT = (Relation.SAME, Relation.RELATED)
_DOUBTFUL = (Relation.RELATED, Relation.PART, Relation.UNCERTAIN, Relation.FOREIGN)


@dataclass(frozen=True)
class FirstDifference:
    """Where the place stands, and the last of its parts that a right solution has as well."""

    place: Span
    part: Span


def find_first_difference(
    source: str, recording: Recording, right: RightValues
) -> FirstDifference | None:
    """Return the place of a program whose result is wrong, None where none is certain."""
    if right.is_coarse:
        return None
    try:
        flow = DataFlow(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return _Search(flow, recording, right).find()


def is_right_at(place: Span, recording: Recording, right: RightValues) -> bool:
    """Say whether the expression at a place has a value of right solutions, or a related one."""
    return any(
        right.relation(expression) in _RIGHT
        for expression in recording.expressions
        if place in expression.spans
    )


class _Search:
    def __init__(self, flow: DataFlow, recording: Recording, right: RightValues) -> None:
        self._flow = flow
        self._right = right
        self._expressions = recording.expressions
        self._relations: dict[Span, Relation] = {}
        self._orders: dict[Span, int] = {}
        self._recorded: dict[Span, RecordedExpression] = {}
        for order, expression in enumerate(recording.expressions):
            relation = right.relation(expression)
            self._relations |= dict.fromkeys(expression.spans, relation)
            self._orders |= dict.fromkeys(expression.spans, order)
            self._recorded |= dict.fromkeys(expression.spans, expression)

    def find(self) -> FirstDifference | None:
        doubtful: set[ast.expr] = set()
        for expression in self._expressions:
            span = expression.spans[0]
            relation, node = self._relations[span], self._flow.node(span)
            if node is None:
                continue
            is_flat = relation is Relation.CONSTANT and isinstance(node, ast.BinOp)
            if (relation is Relation.FOREIGN or is_flat) and node not in doubtful:
                difference = self._place(node, expression)
                if difference is not None:
                    return difference
            if relation in _DOUBTFUL:
                doubtful |= self._flow.users(node, self._is_same)
        return None

    def _place(self, node: ast.expr, expression: RecordedExpression) -> FirstDifference | None:
        """Return the place that an expression is, None where it may be another way."""
        parts = list(self._parts(node))
        relations = [self._relations[span_of(part)] for part in parts]
        is_computed = isinstance(node, _COMPUTED) and not self._flow.is_own_call(node)
        if not is_computed or self._right.has_text(node):
            return None
        if Relation.UNSEEN in relations or any(item in _DOUBTFUL for item in relations):
            return None
        telling = [part for part in parts if self._is_same(part)]
        if not telling or _is_shape_or_empty(node, expression) or self._flow.chooses(node):
            return None
        users = self._flow.users(node, self._is_right)
        order = self._orders[span_of(node)]
        if any(self._is_right(user) and self._order(user) > order for user in users):
            return None
        if _is_whole(expression) and any(map(self._flow.chooses, users)):
            return None
        return FirstDifference(span_of(node), span_of(telling[-1]))

    def _parts(self, node: ast.AST) -> Iterator[ast.expr]:
        """Yield the nearest recorded expressions that one is made of."""
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr) and span_of(child) in self._relations:
                yield child
            else:
                yield from self._parts(child)

    def _is_same(self, node: ast.expr) -> bool:
        return self._relations.get(span_of(node)) is Relation.SAME

    def _is_right(self, node: ast.expr) -> bool:
        """Say whether a value is right, or related by more than small whole numbers."""
        span = span_of(node)
        relation = self._relations.get(span)
        if relation is Relation.RELATED:
            return not _is_whole(self._recorded[span])
        return relation is Relation.SAME

    def _order(self, node: ast.expr) -> int:
        return self._orders[span_of(node)]


def _is_shape_or_empty(node: ast.expr, expression: RecordedExpression) -> bool:
    name = ""
    if isinstance(node, ast.Call):
        called = node.func
        name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
    return name.startswith(("empty", "new_empty")) or expression.values[0].kind == "list"


def _is_whole(expression: RecordedExpression) -> bool:
    """Say whether all values are whole numbers, of any dtype."""
    return all(
        bool(np.all(value.numbers == np.round(value.numbers)))
        if value.numbers is not None
        else not value.text.removesuffix(".0").count(".")
        for value in expression.values
    )
