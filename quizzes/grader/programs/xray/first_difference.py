"""Where a wrong program leaves the right ones: the first expression of a value that none has.

Expressions are looked at in the order in which they ran. The place is one whose value is foreign to
all right solutions (`value_relations`), while each of its parts has a value of a right solution or
one of which nothing can be said, and so has all that these were computed from.

A right solution may go another way: `base ** (2 * i / d)`, where the others have its reciprocal.
So there is no place

- where its value leads to one that right solutions have, or a related one: it was another way;
- where no right solution computes a value of the same arrays, or returns them: the mistake may be
  that these were taken, each right somewhere else;
- in an index, a range, a comparison or a condition, nor where whole numbers lead to one;
- in the shape of an array, nor in what `empty` leaves;
- where an argument has half precision: each way rounds to other numbers;
- below a foreign value that was passed over for one of these reasons, until a value is right again;
- where the flow of values is not understood (`data_flow`).

Only values are compared, never the text of a right solution. All of it is a hint: a recording is
whatever a program sent, and one that is too long or too odd to compare has no place.

Silence costs a learner nothing; a false place costs them an evening. `tools/place_table.py` counts
both.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from quizzes.grader.programs.xray.clock import Clock, TimeIsUpError
from quizzes.grader.programs.xray.data_flow import DataFlow, Flow, FlowNotUnderstoodError
from quizzes.grader.programs.xray.recorded_tree import (
    RecordedProgram,
    RecordedTree,
    is_computed,
    span_of,
)
from quizzes.grader.programs.xray.value_relations import (
    Relation,
    RightValues,
    TooManyNumbersError,
    Values,
)
from quizzes.grader.protocol.case import Case
from quizzes.grader.protocol.recording import (
    RecordedExpression,
    RecordedValue,
    Recording,
    Span,
)

_RIGHT = (Relation.SAME, Relation.RELATED)
_DOUBTFUL = (Relation.RELATED, Relation.PART, Relation.UNCERTAIN, Relation.FOREIGN)
# What data from a learner's program may bring about, and what is done then: no place.
_NO_PLACE = (
    *(FlowNotUnderstoodError, TimeIsUpError, TooManyNumbersError),
    *(ArithmeticError, LookupError, MemoryError, RecursionError),
    *(SyntaxError, TypeError, ValueError),
)


@dataclass(frozen=True)
class FirstDifference:
    """Where the place stands, and the last of its parts that a right solution has as well.

    `value`: the last value at the place; `right`: what the reference computes of the same arrays,
    in the same shape, None where it does not, or computes several. `in_turn`: the place or the part
    had several values.
    """

    place: Span
    part: Span
    value: RecordedValue
    right: RecordedValue | None
    in_turn: bool


def find_first_difference(
    program: RecordedProgram,
    right: Sequence[RecordedProgram],
    case: Case,
    results: Sequence[RecordedExpression] = (),
) -> FirstDifference | None:
    """Return the place of a program whose result is wrong, None where none is certain.

    `right`: right solutions on the same case, the reference first; `results`: what they return.
    """
    clock = Clock()
    try:
        own = RecordedTree(program, clock)
        flow = DataFlow(own.tree, clock)
        values = RightValues([other.recording for other in right], case, clock)
        if values.is_coarse:
            return None
        others = [RecordedTree(other, clock) for other in right]
        return _Search(own, flow, values, others, results).find()
    except _NO_PLACE:
        return None


def may_be_right_at(
    place: Span, recording: Recording, right: Sequence[RecordedProgram], case: Case
) -> bool:
    """Say whether the expression at a place has a value of right solutions, or a related one.

    Also where that cannot be said.
    """
    try:
        values = RightValues([other.recording for other in right], case, Clock())
        return any(
            values.relation(expression) in _RIGHT
            for expression in recording.expressions
            if place in expression.spans
        )
    except _NO_PLACE:
        return True


class _Search:
    def __init__(
        self,
        own: RecordedTree,
        flow: DataFlow,
        right: RightValues,
        others: Sequence[RecordedTree],
        results: Sequence[RecordedExpression],
    ) -> None:
        self._own = own
        self._results = list(map(Values, results))
        self._flow = flow
        self._others = others
        self._relations: dict[Span, Relation] = {}
        self._orders: dict[Span, int] = {}
        self._whole: set[Span] = set()  # of which no value is one number that none has
        for order, expression in enumerate(own.expressions):
            relations = right.relations(expression)
            self._relations |= dict.fromkeys(expression.spans, max(relations))
            if Relation.CONSTANT not in relations:
                self._whole |= set(expression.spans)
            self._orders |= dict.fromkeys(expression.spans, order)

    def find(self) -> FirstDifference | None:
        doubtful = Flow()
        for node, expression in self._own.all():
            relation = self._relations[expression.spans[0]]
            is_flat = relation is Relation.CONSTANT and isinstance(node, ast.BinOp)
            is_flat &= Values(expression).numbers is None  # a number in turn is everywhere
            if (relation is Relation.FOREIGN or is_flat) and node not in doubtful.users:
                difference = self._place(node, expression)
                if difference is not None:
                    return difference
            if relation in _DOUBTFUL:
                self._flow.add_users(doubtful, node, self._is_same)
        return None

    def _place(self, node: ast.expr, expression: RecordedExpression) -> FirstDifference | None:
        """Return the place that an expression is, None where it may be another way."""
        parts = self._own.parts(node)
        relations = [self._relations[span_of(part)] for part in parts]
        if not is_computed(node) or self._flow.is_own_call(node):
            return None
        if Relation.UNSEEN in relations or any(item in _DOUBTFUL for item in relations):
            return None
        telling = [part for part in parts if self._is_same(part) and span_of(part) in self._whole]
        if not telling or _is_shape_or_empty(node, expression) or self._flow.chooses(node):
            return None
        users = Flow()
        self._flow.add_users(users, node, self._is_right)
        order = self._orders[span_of(node)]
        if any(self._is_right(user) and self._order(user) > order for user in users.users):
            return None
        if _is_whole(expression) and any(map(self._flow.chooses, users.users)):
            return None
        return self._with_right(node, expression, telling[-1], parts)

    def _with_right(
        self,
        node: ast.expr,
        expression: RecordedExpression,
        telling: ast.expr,
        parts: Sequence[ast.expr],
    ) -> FirstDifference | None:
        """Return the place with what right solutions compute of the same arrays."""
        recorded = [item for item in map(self._own.recorded, parts) if item is not None]
        arrays = [values for values in map(Values, recorded) if not values.is_flat()]
        counterparts = [_computed_from(arrays, other) for other in self._others]
        if not any(counterparts) and not _have(self._results, arrays):
            return None
        known = self._own.recorded(telling)
        both = [expression, *([known] if known else [])]
        return FirstDifference(
            span_of(node),
            span_of(telling),
            expression.values[-1],
            _only_value(expression, counterparts[0]),
            in_turn=any(len(item.values) > 1 for item in both),
        )

    def _is_same(self, node: ast.expr) -> bool:
        return self._relations.get(span_of(node)) is Relation.SAME

    def _is_right(self, node: ast.expr) -> bool:
        """Say whether a value is right, or related by more than small whole numbers."""
        relation = self._relations.get(span_of(node))
        if relation is Relation.RELATED:
            recorded = self._own.recorded(node)
            return recorded is not None and not _is_whole(recorded)
        return relation is Relation.SAME

    def _order(self, node: ast.expr) -> int:
        return self._orders[span_of(node)]


def _computed_from(arrays: Sequence[Values], tree: RecordedTree) -> list[RecordedExpression]:
    """Return the expressions of a program that have all these arrays among their parts."""
    computed = []
    for node, expression in tree.computed():
        recorded = [item for item in map(tree.recorded, tree.parts(node)) if item is not None]
        theirs = list(map(Values, recorded))
        if _have(theirs, arrays):
            computed.append(expression)
    return computed


def _have(values: Sequence[Values], arrays: Sequence[Values]) -> bool:
    return all(any(array.equal(value) for value in values) for array in arrays)


def _only_value(
    own: RecordedExpression, computed: Sequence[RecordedExpression]
) -> RecordedValue | None:
    """Return the value of expressions that ran once, as an array in the shape of another."""
    (mine,) = Values(own).arrays if len(own.values) == 1 and Values(own).arrays else (None,)
    once = [(Values(item), item.values[0]) for item in computed if len(item.values) == 1]
    alike = [
        (theirs, value)
        for theirs, value in once
        if mine is not None and theirs.arrays and theirs.arrays[0].shape == mine.shape
    ]
    if not alike or not all(theirs.equal(alike[0][0]) for theirs, _ in alike):
        return None
    return alike[0][1]


def _is_shape_or_empty(node: ast.expr, expression: RecordedExpression) -> bool:
    name = ""
    if isinstance(node, ast.Call):
        called = node.func
        name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
    return name.startswith(("empty", "new_empty")) or expression.values[0].kind == "list"


def _is_whole(expression: RecordedExpression) -> bool:
    """Say whether all values are whole numbers, of any dtype."""
    values = Values(expression)
    arrays = values.arrays if values.numbers is None else [values.numbers]
    return all(bool(np.all(array == np.round(array))) for array in arrays)
