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

ROUNDINGS = 4  # of constant and bias together, in their dtype: each sum is rounded once or twice
# Beside a constant of 1e30 nothing is left of a bias. What softmax sees has to be there still: the
# rounding may be this share of what the expected numbers differ by within the row.
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


def _as_expected(expected: Leaf, got: Leaf, tolerance: Tolerance) -> Leaf:
    if expected.values is None or got.values is None or expected.shape != got.shape:
        return got
    if not differs_by_rows(expected.values, got.values, tolerance):
        return got
    return replace(got, values=expected.values.astype(got.values.dtype))


def differs_by_rows(expected: Array, got: Array, tolerance: Tolerance) -> bool:
    """Say whether all finite numbers of each row (the last axis) are off by the same number."""
    if expected.ndim < 2 or "c" in (expected.dtype.kind, got.dtype.kind):
        return False
    expected_floats, got_floats = as_floats(expected), as_floats(got)
    finite = np.isfinite(expected_floats)
    if not np.array_equal(finite, np.isfinite(got_floats)) or not np.array_equal(
        expected_floats[~finite], got_floats[~finite], equal_nan=True
    ):
        return False
    off = np.where(finite, got_floats, 0.0) - np.where(finite, expected_floats, 0.0)
    constant = _middle(off, finite)
    allowed = tolerance.allowed_error(expected_floats)
    if got.dtype.kind == "f":
        # Of each row and number by itself: a huge one is no licence for all the others.
        unit = ROUNDINGS * float(np.finfo(got.dtype).eps)
        rounding = unit * np.abs(constant)
        if (rounding > MOST_ROUNDING * _spread(expected_floats, finite)).any():
            return False
        allowed = allowed + rounding + unit * np.abs(np.where(finite, expected_floats, 0.0))
    return bool((np.abs(np.where(finite, off - constant, 0.0)) <= allowed).all())


def _middle(off: Floats, finite: npt.NDArray[np.bool_]) -> Floats:
    """Return the middle number of each row, which single huge ones do not move; 0 of an empty row.

    Shape (..., 1). NaN sorts last, so that the finite numbers of a row come first.
    """
    ordered = np.sort(np.where(finite, off, np.nan), axis=-1)
    places = np.maximum(finite.sum(axis=-1, keepdims=True) - 1, 0) // 2
    return np.asarray(np.nan_to_num(np.take_along_axis(ordered, places, axis=-1)))


def _spread(expected: Floats, finite: npt.NDArray[np.bool_]) -> Floats:
    """Return the least difference of unlike numbers of each row, (..., 1); infinite without any."""
    row = np.sort(np.where(finite, expected, np.nan), axis=-1)
    steps = np.diff(row, axis=-1)
    least = np.min(np.where(steps > 0, steps, np.inf), axis=-1, keepdims=True, initial=np.inf)
    return np.asarray(least)
