"""Comparing numbers: where the largest excess over the tolerance is, and whether all pass."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from quizzes.grader.observation import Observation
from quizzes.grader.tolerance import Tolerance
from quizzes.grader.wire import Array

MEASURED = "seen."
Floats = npt.NDArray[np.float64]


EXACT = Tolerance()


@dataclass(frozen=True)
class Difference:
    """The worst cell of two arrays of one shape, and how many cells fail."""

    max_error: float
    worst: tuple[int, ...]
    failing: int
    total: int


def difference(expected: Array, got: Array, tolerance: Tolerance) -> Difference | None:
    """None when every number passes; NaN equals NaN and an infinity equals itself."""
    wanted, given = as_floats(expected), as_floats(got)
    with np.errstate(all="ignore"):
        error = np.abs(given - wanted)
        if error.max(initial=0.0) <= tolerance.atol:  # a NaN is not
            return None
        same = (wanted == given) | (np.isnan(wanted) & np.isnan(given))
        error = np.where(same, 0.0, np.where(np.isnan(error), np.inf, error))
        excess = error - tolerance.allowed_error(wanted)
    failing = int(np.count_nonzero((excess > 0) & ~same))
    if failing == 0:
        return None
    worst = tuple(int(i) for i in np.unravel_index(int(np.argmax(excess)), excess.shape))
    return Difference(float(error[worst]), worst, failing, error.size)


def agree(expected: Array, got: Array, tolerance: Tolerance) -> bool:
    """Whether `difference` finds none; mostly without looking at each number's own allowance."""
    wanted = as_floats(expected)
    with np.errstate(all="ignore"):
        worst = np.abs(as_floats(got) - wanted).max(initial=0.0)
        most = tolerance.atol + (tolerance.rtol + tolerance.relative_to_max) * np.abs(wanted).max(
            initial=0.0
        )
    if worst > most:  # neither is NaN then
        return False
    return difference(expected, got, tolerance) is None


def first_not_finite(expected: Array, got: Array) -> tuple[int, ...] | None:
    """Where a number is NaN or infinite although a finite one is expected."""
    finite = np.isfinite(as_floats(got))
    if finite.all():
        return None
    bad = np.isfinite(as_floats(expected)) & ~finite
    if not bad.any():
        return None
    return tuple(int(i) for i in np.unravel_index(int(np.argmax(bad)), bad.shape))


def as_floats(array: Array) -> Floats:
    """The numbers as float64; the imaginary part is dropped (dtypes are judged before)."""
    return np.asarray(array.real if np.iscomplexobj(array) else array, dtype=np.float64)


def same_observation(one: Observation, other: Observation, tolerance: Tolerance) -> bool:
    """Whether two observations are equal as results: kinds and dtypes do not count.

    Raising is one outcome, whatever the exception is. What was measured behind a fact is no result.
    """
    if one.failure is not None or other.failure is not None:
        return one.failure is not None and other.failure is not None
    keys, others = (
        [key for key in item.leaves if not key.startswith(MEASURED)] for item in (one, other)
    )
    if sorted(keys) != sorted(others):
        return False
    for key in keys:
        leaf = one.leaves[key]
        values, wanted = leaf.values, other.leaves[key].values
        if values is None or wanted is None:
            if leaf.kind != other.leaves[key].kind or values is not wanted:
                return False
        elif values.shape != wanted.shape or not agree(
            wanted, values, EXACT if key.startswith("fact.") else tolerance
        ):
            return False
    return True
