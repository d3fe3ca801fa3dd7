"""Biases of scores that differ from the expected by one number per row.

Softmax turns a row of scores into weights, and adding one number to all scores of a row leaves
every weight as it is. So such a bias is as good as the expected one, and is no mistake.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from quizzes.grader.judge.comparison import Floats, Tolerance, as_floats
from quizzes.grader.protocol.observation import FACT, LOOK, Leaf, Observation, is_claimed
from quizzes.grader.protocol.wire import Array

ROUNDINGS = 8  # of the largest number, in its own dtype: the constant is rounded with the bias
# Beside a constant of 1e30 nothing is left of a bias. What softmax sees has to be there still: the
# rounding may be this share of what the expected numbers differ by within a row.
MOST_ROUNDING = 0.05


def without_row_constants(
    expected: Observation, got: Observation, tolerance: Tolerance
) -> Observation:
    """Return what was got, with the expected numbers where it is off by one number per row.

    What the judge measures on such arrays is as expected then. All else stays as it is.
    """
    leaves = dict(got.leaves)
    for key in leaves.keys() & expected.leaves.keys():
        if key.split(".")[0] in ("out", LOOK.rstrip(".")):
            leaves[key] = _as_expected(expected.leaves[key], leaves[key], tolerance)
    looks = [key for key in expected.leaves if key.startswith(LOOK)]
    if looks and all(leaves.get(key) is not got.leaves.get(key) for key in looks):
        leaves |= _measured(expected)
    return replace(got, leaves=leaves)


def _measured(expected: Observation) -> Mapping[str, Leaf]:
    """Return the facts that follow from the arrays alone."""
    return {
        key: leaf
        for key, leaf in expected.leaves.items()
        if key.startswith(FACT) and not is_claimed(expected, key.removeprefix(FACT))
    }


def _as_expected(wanted: Leaf, given: Leaf, tolerance: Tolerance) -> Leaf:
    if wanted.values is None or given.values is None or wanted.shape != given.shape:
        return given
    if not differs_by_rows(wanted.values, given.values, tolerance):
        return given
    return replace(given, values=wanted.values.astype(given.values.dtype))


def differs_by_rows(wanted: Array, given: Array, tolerance: Tolerance) -> bool:
    """Say whether all finite numbers of each row (the last axis) are off by the same number."""
    if wanted.ndim < 2 or "c" in (wanted.dtype.kind, given.dtype.kind):
        return False
    expected, got = as_floats(wanted), as_floats(given)
    finite = np.isfinite(expected)
    if not np.array_equal(finite, np.isfinite(got)) or not np.array_equal(
        expected[~finite], got[~finite], equal_nan=True
    ):
        return False
    off = np.where(finite, got, 0.0) - np.where(finite, expected, 0.0)
    least = np.min(np.where(finite, off, np.inf), axis=-1, keepdims=True, initial=np.inf)
    most = np.max(np.where(finite, off, -np.inf), axis=-1, keepdims=True, initial=-np.inf)
    with np.errstate(invalid="ignore"):  # a row without a finite number
        constant = np.where(np.isfinite(least), (least + most) / 2, 0.0)
    allowed = tolerance.allowed_error(expected)
    if given.dtype.kind == "f":
        largest = np.max(np.abs(np.where(finite, got, 0.0)), initial=0.0)
        rounding = ROUNDINGS * float(np.finfo(given.dtype).eps) * largest
        if rounding > MOST_ROUNDING * _spread(expected, finite):
            return False
        allowed = allowed + rounding
    return bool((np.abs(np.where(finite, off - constant, 0.0)) <= allowed).all())


def _spread(expected: Floats, finite: npt.NDArray[np.bool_]) -> float:
    """Return the least difference of unlike numbers of a row; infinite where no row has any."""
    row = np.sort(np.where(finite, expected, np.nan), axis=-1)
    steps = np.diff(row, axis=-1)
    return float(np.min(steps[steps > 0], initial=np.inf))
