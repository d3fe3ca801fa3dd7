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
from quizzes.grader.programs.xray.clock import Clock
from quizzes.grader.protocol.case import Case, arguments
from quizzes.grader.protocol.recording import (
    MOST_BYTES,
    RecordedExpression,
    RecordedValue,
    Recording,
)

CLOSE = 1e-9  # of each number's size, for the same value
ROUGH = 1e-4  # for a related one: what single precision leaves
SMALL = 100  # whole numbers below are in every program
NEAR_ZERO = 0.1
MOST_OF_ARRAY = 4096  # numbers: the recorder keeps no larger array whole
MOST_CELLS = MOST_BYTES // 8  # of all arrays that are compared, each as often as it was recorded


class TooManyNumbersError(Exception):
    """A recording has more numbers than a program can have sent: one array, many times."""


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


class Values:
    """The values of an expression as floats; `numbers` in turn, or else `arrays`.

    Neither where one of them is no number, not whole, or larger than an honest recording keeps.
    """

    def __init__(self, expression: RecordedExpression) -> None:
        self.numbers = _series(expression)
        arrays = [] if self.numbers is not None else list(map(_array, expression.values))
        is_whole = all(array is not None for array in arrays)
        self.arrays = [array for array in arrays if array is not None] if is_whole else []

    def is_flat(self) -> bool:
        """Say whether they are single numbers, or one number repeated."""
        if self.numbers is not None:
            return _distinct(self.numbers).size < 2
        return all(array.size < 2 or _is_constant(array) for array in self.arrays)

    def equal(self, other: Values) -> bool:
        """Say whether the last values are the same, or all numbers of two loops."""
        if self.numbers is not None and other.numbers is not None:
            mine, theirs = _distinct(self.numbers), _distinct(other.numbers)
            return mine.shape == theirs.shape and _any_row(theirs[None], mine, ROUGH)
        if not self.arrays or not other.arrays:
            return False
        mine, theirs = np.squeeze(self.arrays[-1]), np.squeeze(other.arrays[-1])
        return mine.shape == theirs.shape and _any_row(theirs.reshape(1, -1), mine.ravel(), CLOSE)


class RightValues:
    """The values of right solutions on a case. Comparing raises TimeIsUpError by its clock.

    `is_coarse`: an argument has half precision, so another right way rounds to other numbers.
    """

    def __init__(self, recordings: Sequence[Recording], case: Case, clock: Clock) -> None:
        self._clock, self._cells = clock, MOST_CELLS
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
            clock.check()
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

    def relation(self, expression: RecordedExpression) -> Relation:
        """Return the largest of `relations`."""
        return max(self.relations(expression))

    def relations(self, expression: RecordedExpression) -> list[Relation]:
        """Return how each value of an expression is related to those of right solutions.

        Single numbers are one value. Raises TooManyNumbersError once more was compared than an
        honest recording holds.
        """
        self._clock.check()
        with np.errstate(all="ignore"):
            values = Values(expression)
            if values.numbers is not None:
                return [self._of_series(values.numbers)]
            self._cells -= sum(array.size for array in values.arrays)
            if self._cells < 0:
                raise TooManyNumbersError
            return list(map(self._of_array, values.arrays)) or [Relation.UNSEEN]

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
        self._clock.check()
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
        for size, rows in self._sets.items():
            for row in rows if size >= distinct.size else ():
                self._clock.check()
                if _are_in(distinct, row).all():
                    return True
        return False

    def _is_related(self, distinct: Floats) -> bool:
        self._clock.check()
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
    if value.numbers.size > MOST_OF_ARRAY:
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
