"""Which values of a program a right solution has as well, on the same case.

Two values are the same where their shapes are, and each pair of numbers to the precision of the
right solution's dtype. A mask of -1e9 says nothing of the scores next to it: so each number is
compared by its own size, with a small part of the largest, or of 1, for what rounding leaves of 0.
In which expression of the right solution the value stands does not count. A value of a coarser
dtype than the right solution's is not called known: what it has lost may be the mistake.

Four kinds of values are never called known, since they say nothing of the code that has them.
Single numbers: 0, 1, 2 or d are in nearly every program. Arrays of one number repeated, as of
`zeros` and `ones`. Numbers counted from 0 along one axis, as of `arange(n)[:, None]`: a right
solution may add an offset to them, and code without it would have a line where it is wrong. And the
arguments of the case, which every program begins with.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

import numpy as np

from quizzes.grader.judge.comparison import Floats, as_floats
from quizzes.grader.protocol.case import Case, arguments
from quizzes.grader.protocol.recording import RecordedExpression, RecordedValue, Recording
from quizzes.grader.protocol.wire import Array

PRECISION = {"float16": 4e-3, "bfloat16": 2e-2, "float32": 1e-5, "complex64": 1e-5}
FINEST = 1e-9
ABSOLUTE = 0.1  # of the precision, for numbers near 0
_Key = tuple[tuple[int, ...], bool]  # the shape, and whether the numbers are complex


class KnownValues:
    """The values of right solutions on a case."""

    def __init__(self, recordings: Iterable[Recording], case: Case) -> None:
        self._arguments = [
            value for _, value in arguments(case) if isinstance(value, np.ndarray) and value.ndim
        ]
        rows: defaultdict[_Key, dict[bytes, tuple[Floats, float]]] = defaultdict(dict)
        for value in _values(recordings):
            numbers = _compared(value)
            if numbers is not None:
                flat = as_floats(numbers).ravel()
                same = rows[_key(numbers)]
                same[flat.tobytes()] = (flat, _precision(value))
        self._rows = {
            key: (
                np.stack([flat for flat, _ in same.values()]),
                np.array([precision for _, precision in same.values()]),
            )
            for key, same in rows.items()
        }

    def has(self, expression: RecordedExpression) -> bool:
        """Say whether right solutions have all values that are known of an expression.

        These are the first and the last. False where one of them is not known.
        """
        ends = (expression.values[0], expression.values[-1])
        is_whole = expression.has_last and all(value.is_whole for value in ends)
        return is_whole and all(map(self._has, ends))

    def _has(self, value: RecordedValue) -> bool:
        numbers = _compared(value)
        if numbers is None or self._is_argument(numbers) or _key(numbers) not in self._rows:
            return False
        rows, precisions = self._rows[_key(numbers)]
        flat = as_floats(numbers).ravel()
        with np.errstate(all="ignore"):
            sizes = np.where(np.isfinite(rows), np.abs(rows), 0.0)
            small = ABSOLUTE * np.minimum(sizes.max(axis=1, keepdims=True), 1.0)
            same = (rows == flat) | (np.isnan(rows) & np.isnan(flat))
            same |= np.abs(rows - flat) <= precisions[:, None] * (sizes + small)
        is_fine = precisions >= _precision(value)
        return bool(np.any(same.all(axis=1) & is_fine))

    def _is_argument(self, numbers: Array) -> bool:
        """Say whether it is an argument, in its own dtype or in another, as of half precision."""
        with np.errstate(all="ignore"):
            return any(
                own.shape == numbers.shape
                and np.array_equal(own.astype(numbers.dtype), numbers, equal_nan=True)
                for own in self._arguments
                if own.dtype.kind in "biufc"
            )


def _values(recordings: Iterable[Recording]) -> Iterable[RecordedValue]:
    every = (expression for recording in recordings for expression in recording.expressions)
    return (value for expression in every for value in expression.values)


def _compared(value: RecordedValue) -> Array | None:
    """Return the numbers of a value that may be called known; None for any other."""
    numbers = value.numbers
    if not value.is_whole or numbers is None or numbers.ndim == 0 or numbers.size < 2:
        return None
    first = numbers.flat[0]
    with np.errstate(all="ignore"):
        is_constant = bool(np.all(numbers == first)) or bool(np.isnan(as_floats(numbers)).all())
    return None if is_constant or _is_counted(numbers) else numbers


def _is_counted(numbers: Array) -> bool:
    """Say whether these are 0, 1, 2 ... along one axis."""
    if numbers.size not in numbers.shape or numbers.dtype.kind not in "iuf":
        return False
    return bool(np.array_equal(numbers.ravel(), np.arange(numbers.size)))


def _key(numbers: Array) -> _Key:
    return numbers.shape, numbers.dtype.kind == "c"


def _precision(value: RecordedValue) -> float:
    return PRECISION.get(value.dtype, FINEST)
