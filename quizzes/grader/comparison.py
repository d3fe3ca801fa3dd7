"""Comparing numbers: where the largest excess over the tolerance is, and whether all pass."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from quizzes.grader.cellwise import as_floats, cell_errors, not_finite
from quizzes.grader.observation import Observation
from quizzes.grader.tolerance import Tolerance
from quizzes.grader.wire import Array

NO_RESULT = ("seen.", "look.")  # what stands behind a fact
EXACT = Tolerance()


@dataclass(frozen=True)
class Difference:
    """The worst cell of two arrays of one shape (of NaN, the first), and how many cells fail."""

    max_error: float
    worst: tuple[int, ...]
    failing: int
    total: int


def difference(expected: Array, got: Array, tolerance: Tolerance) -> Difference | None:
    """None when every number passes; NaN equals NaN and an infinity equals itself."""
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
    """The first cell that is NaN or infinite although a finite number is expected, and how many."""
    bad = not_finite(expected, got)
    if bad is None:
        return None
    first = _place(int(np.argmax(bad)), bad.shape)
    return Difference(float("inf"), first, int(np.count_nonzero(bad)), bad.size)


def _place(flat: int, shape: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(int(i) for i in np.unravel_index(flat, shape))


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


def same_observation(one: Observation, other: Observation, tolerance: Tolerance) -> bool:
    """Whether two observations are equal as results: kinds and dtypes do not count.

    Raising is one outcome, whatever the exception is. What was measured behind a fact is no result.
    """
    if one.failure is not None or other.failure is not None:
        return one.failure is not None and other.failure is not None
    keys, others = (
        [key for key in item.leaves if not key.startswith(NO_RESULT)] for item in (one, other)
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
