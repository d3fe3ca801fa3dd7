"""How the values of an expression are related to those of right solutions, on the same case.

A value is *the same* where a right solution has its numbers in its shape, axes of length 1 aside.
It is *related* where the numbers are there in another shape, order or choice, with the other sign,
as their reciprocal, as their logarithm, or with less precision: right numbers in a wrong place, or
another way of writing the same. Only what is neither is *foreign*.

Nothing can be said of an argument, of a single number that right solutions have as well or that is
small and whole, and of one number repeated: these are *plain*, or *constant* where no right
solution has that number in this shape. A single number that no right
solution has, and numbers counted from 0 that none has in this shape, are *uncertain*: what is
computed from them may be wrong for their sake.

A loop computes single numbers where right solutions may have an array. So the single numbers that
an expression had in turn are taken as one array, of which order and repetition do not count.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from enum import IntEnum

import numpy as np

from quizzes.grader.judge.comparison import Floats, as_floats
from quizzes.grader.protocol.case import Case, arguments
from quizzes.grader.protocol.recording import RecordedExpression, RecordedValue, Recording

CLOSE = 1e-9  # of each number's size, for the same value
ROUGH = 1e-4  # for a related one: what single precision leaves
SMALL = 100  # whole numbers below are in every program
NEAR_ZERO = 0.1


class Relation(IntEnum):
    """Of several values of an expression, the largest holds."""

    UNSEEN = 0
    PLAIN = 1
    CONSTANT = 2
    SAME = 3
    RELATED = 4
    PART = 5
    UNCERTAIN = 6
    FOREIGN = 7


class RightValues:
    """The values of right solutions on a case.

    `is_coarse`: an argument has half precision, so another right way rounds to other numbers.
    """

    def __init__(
        self, recordings: Sequence[Recording], case: Case, sources: Iterable[str] = ()
    ) -> None:
        nodes = (node for source in sources for node in ast.walk(ast.parse(source)))
        self._texts = {ast.dump(node) for node in nodes if isinstance(node, ast.expr)}
        own = [value for _, value in arguments(case) if not isinstance(value, str | None)]
        arrays = list(map(np.asarray, own))
        self.is_coarse = any(value.dtype == np.float16 for value in arrays)
        arrays = [as_floats(value) for value in arrays if value.dtype.kind in "biuf"]
        self._arguments = [value for value in arrays if value.size > 1]
        numbers = [value.ravel() for value in arrays if value.size == 1]
        rows: defaultdict[tuple[int, ...], dict[bytes, Floats]] = defaultdict(dict)
        sets: defaultdict[int, dict[bytes, Floats]] = defaultdict(dict)
        every = [item for recording in recordings for item in recording.expressions]
        series = [row for row in map(_series, every) if row is not None]
        for value in (*series, *_all_arrays(every), *self._arguments):
            if value.size > 1:
                plain = np.squeeze(value)
                rows[plain.shape][plain.tobytes()] = plain.ravel()
                distinct = _distinct(value)
                sets[distinct.size][distinct.tobytes()] = distinct
        numbers += series
        self._rows = {shape: np.stack(list(same.values())) for shape, same in rows.items()}
        self._sets = {size: np.stack(list(same.values())) for size, same in sets.items()}
        self._numbers = _distinct(np.concatenate([*numbers, np.zeros(1)]))
        self._every = _distinct(np.concatenate([*map(np.ravel, self._sets.values()), np.zeros(1)]))

    def has_text(self, node: ast.expr) -> bool:
        """Say whether a right solution has this expression word for word."""
        return ast.dump(node) in self._texts

    def relation(self, expression: RecordedExpression) -> Relation:
        """Return how the values of an expression are related to those of right solutions."""
        with np.errstate(all="ignore"):
            series = _series(expression)
            if series is not None:
                return self._of_series(series)
            values = list(map(_array, expression.values))
            if any(value is None for value in values):
                return Relation.UNSEEN
            return max(self._of_array(value) for value in values if value is not None)

    def _of_series(self, series: Floats) -> Relation:
        distinct = _distinct(series)
        if distinct.size < 2:
            if not self._is_plain(series[0]):
                return Relation.UNCERTAIN
            return Relation.CONSTANT if series.size > 1 else Relation.PLAIN
        if self._has_numbers(distinct):
            return Relation.SAME
        return self._of_numbers(distinct)

    def _is_plain(self, number: float) -> bool:
        if not np.isfinite(number) or (abs(number) < SMALL and number == round(number)):
            return True
        forms = np.array([number, -number, 1 / number, -1 / number, np.exp(number)])
        return bool(_are_in(forms, self._numbers).any())

    def _of_array(self, value: Floats) -> Relation:
        if value.size < 2:
            return Relation.PLAIN
        plain = np.squeeze(value)
        rows = self._rows.get(plain.shape)
        is_same = rows is not None and _any_row(rows, plain.ravel(), CLOSE)
        if _is_constant(value):
            return Relation.PLAIN if is_same else Relation.CONSTANT
        if is_same:
            return Relation.SAME
        if _is_counted(value):
            return Relation.UNCERTAIN
        return self._of_numbers(_distinct(value))

    def _of_numbers(self, distinct: Floats) -> Relation:
        if self._is_related(distinct):
            return Relation.RELATED
        is_part = self._has_numbers(distinct) or self._has_numbers(np.sort(-distinct))
        return Relation.PART if is_part else Relation.FOREIGN

    def _has_numbers(self, distinct: Floats) -> bool:
        """Say whether one value of a right solution has all of these numbers."""
        if not _are_in(distinct, self._every).all():
            return False
        return any(
            bool(_are_in(distinct, row).all())
            for size, rows in self._sets.items()
            if size >= distinct.size
            for row in rows
        )

    def _is_related(self, distinct: Floats) -> bool:
        rows = self._sets.get(distinct.size)
        if rows is None:
            return False
        forms = (
            distinct,
            -distinct,
            1 / distinct,
            -1 / distinct,
            np.exp(distinct),
            np.exp(-distinct),
        )
        return any(_any_row(rows, np.sort(form), ROUGH) for form in forms)


def _all_arrays(expressions: Iterable[RecordedExpression]) -> Iterator[Floats]:
    for expression in expressions:
        if _series(expression) is None:
            yield from (value for value in map(_array, expression.values) if value is not None)


def _series(expression: RecordedExpression) -> Floats | None:
    """Return the single numbers that an expression had in turn, None where it had others."""
    numbers = [_number(value) for value in expression.values]
    known = [number for number in numbers if number is not None]
    return np.array(known) if len(known) == len(numbers) else None


def _number(value: RecordedValue) -> float | None:
    if value.kind == "number":
        try:
            return float({"True": "1", "False": "0"}.get(value.text, value.text))
        except ValueError:  # complex, or a whole number of many digits
            return None
    numbers = value.numbers
    if numbers is None or not value.is_whole or numbers.ndim or numbers.dtype.kind == "c":
        return None
    return float(numbers)


def _array(value: RecordedValue) -> Floats | None:
    """Return the numbers of an array, or of a list of single numbers; None for any other value."""
    if value.kind == "list":
        return _list(value.text)
    if value.numbers is None or not value.is_whole or value.numbers.ndim == 0:
        return None
    numbers = as_floats(value.numbers)
    if numbers.dtype.kind != "c":
        return numbers
    return np.stack([numbers.real, numbers.imag], axis=-1)


def _list(text: str) -> Floats | None:
    try:
        items = ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return None  # "12 items", or cut
    if not isinstance(items, list | tuple) or not items:
        return None
    return np.array(items, float) if all(type(item) in (int, float) for item in items) else None


def _is_constant(value: Floats) -> bool:
    return bool(np.all(value == value.flat[0])) or bool(np.isnan(value).all())


def _is_counted(value: Floats) -> bool:
    return value.size in value.shape and np.array_equal(value.ravel(), np.arange(value.size))


def _distinct(value: Floats) -> Floats:
    """Return the numbers in order, those that hardly differ once."""
    numbers = np.unique(value)
    with np.errstate(all="ignore"):
        steps = np.diff(numbers) > ROUGH / 10 * (np.abs(numbers[1:]) + NEAR_ZERO)
    distinct: Floats = numbers[np.concatenate([[True], steps | ~np.isfinite(numbers[1:])])]
    return distinct


def _any_row(rows: Floats, flat: Floats, precision: float) -> bool:
    """Say whether these are the numbers of a row, each to a precision of its size."""
    sizes = np.where(np.isfinite(rows), np.abs(rows), 0.0)
    small = NEAR_ZERO * np.minimum(sizes.max(axis=1, keepdims=True), 1.0)
    same = (rows == flat) | (np.isnan(rows) & np.isnan(flat))
    same |= np.abs(rows - flat) <= precision * (sizes + small)
    return bool(same.all(axis=1).any())


def _are_in(numbers: Floats, ordered: Floats) -> Floats:
    """Say of each number whether it is among others, to what single precision leaves."""
    after = np.clip(np.searchsorted(ordered, numbers), 0, ordered.size - 1)
    sizes = np.where(np.isfinite(numbers), np.abs(numbers), 0.0)
    allowed = ROUGH * (sizes + NEAR_ZERO * ROUGH)
    are_in: Floats = np.isnan(numbers) & np.isnan(ordered[-1])
    for place in (after, np.maximum(after - 1, 0)):
        other = ordered[place]
        are_in |= (other == numbers) | (np.abs(other - numbers) <= allowed)
    return are_in
