"""Comparing numbers: two arrays cell by cell, and where an error exceeds the tolerance.

Each number has its own allowance, and NaN and infinities equal themselves: what `np.allclose` says
of them depends on its flags, and it cannot say where the worst cell is.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from quizzes.grader.protocol.observation import Observation
from quizzes.grader.protocol.wire import Array

Floats = npt.NDArray[Any]  # float64, or complex128
ROUNDING = 0.01  # of the largest: below, digits are lost; above, something else is wrong
NO_RESULT = ("seen.", "look.")  # what stands behind a fact


@dataclass(frozen=True)
class Tolerance:
    """A number passes within `atol + rtol * |expected| + relative_to_max * max|expected|`."""

    rtol: float = 0.0
    atol: float = 0.0
    relative_to_max: float = 0.0
    why: str = ""

    def allowed_error(self, expected: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
        """Return the largest error that passes, per cell, in the shape of `expected`."""
        size = np.abs(np.where(np.isfinite(expected), expected, 0.0)).astype(np.float64)
        largest = float(size.max(initial=0.0))
        return np.asarray(self.atol + self.rtol * size + self.relative_to_max * largest)


EXACT = Tolerance()


@dataclass(frozen=True)
class Difference:
    """The worst cell of two arrays of one shape (of NaN, the first), and how many cells fail."""

    max_error: float
    worst: tuple[int, ...]
    failing: int
    total: int


def as_floats(array: Array) -> Floats:
    """Return the numbers as float64; complex ones stay so: an imaginary part is no rounding."""
    return np.asarray(array, dtype=np.complex128 if array.dtype.kind == "c" else np.float64)


def cell_errors(expected: Floats, got: Floats) -> Floats:
    """Return |got - expected|: 0 where both are NaN or the same infinity, infinite for one NaN."""
    same = (expected == got) | (np.isnan(expected) & np.isnan(got))
    with np.errstate(all="ignore"):
        error = np.abs(got - expected)
    return np.where(same, 0.0, np.where(np.isnan(error), np.inf, error))


def not_finite(expected: Array, got: Array) -> npt.NDArray[np.bool_] | None:
    """Mark where a number is NaN or infinite although a finite one is expected; None: nowhere."""
    finite = np.isfinite(as_floats(got))
    if finite.all():
        return None
    bad: npt.NDArray[np.bool_] = np.isfinite(as_floats(expected)) & ~finite
    return bad if bad.any() else None


def difference(expected: Array, got: Array, tolerance: Tolerance) -> Difference | None:
    """Return the difference, None when every number passes; NaN equals NaN, an infinity itself."""
    wanted, given = as_floats(expected), as_floats(got)
    with np.errstate(all="ignore"):
        if np.abs(given - wanted).max(initial=0.0) <= tolerance.atol:  # a NaN is not
            return None
        error = cell_errors(wanted, given)
        excess = error - tolerance.allowed_error(wanted)
    failing = int(np.count_nonzero(excess > 0))
    if failing == 0:
        return None
    worst = _place(int(np.argmax(excess)), excess.shape)
    return Difference(float(error[worst]), worst, failing, error.size)


def first_not_finite(expected: Array, got: Array) -> Difference | None:
    """Return the first cell that is NaN or infinite where a finite one is due, and how many are."""
    bad = not_finite(expected, got)
    if bad is None:
        return None
    first = _place(int(np.argmax(bad)), bad.shape)
    return Difference(float("inf"), first, int(np.count_nonzero(bad)), bad.size)


def _place(flat: int, shape: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(int(i) for i in np.unravel_index(flat, shape))


def agree(expected: Array, got: Array, tolerance: Tolerance) -> bool:
    """Say whether `difference` finds none, mostly without a look at each number's own allowance."""
    wanted = as_floats(expected)
    with np.errstate(all="ignore"):
        worst = np.abs(as_floats(got) - wanted).max(initial=0.0)
        most = tolerance.atol + (tolerance.rtol + tolerance.relative_to_max) * np.abs(wanted).max(
            initial=0.0
        )
    if worst > most:  # neither is NaN then
        return False
    return difference(expected, got, tolerance) is None


def same_observation(observation: Observation, other: Observation, tolerance: Tolerance) -> bool:
    """Say whether two observations are equal as results: kinds and dtypes do not count.

    Raising is one outcome, whatever the exception is. What was measured behind a fact is no result.
    """
    if observation.failure is not None or other.failure is not None:
        return observation.failure is not None and other.failure is not None
    keys, others = (
        [key for key in item.leaves if not key.startswith(NO_RESULT)]
        for item in (observation, other)
    )
    if sorted(keys) != sorted(others):
        return False
    for key in keys:
        leaf = observation.leaves[key]
        values, other_values = leaf.values, other.leaves[key].values
        if values is None or other_values is None:
            if leaf.kind != other.leaves[key].kind or values is not other_values:
                return False
        elif values.shape != other_values.shape or not agree(
            other_values, values, EXACT if key.startswith("fact.") else tolerance
        ):
            return False
    return True
