"""Two arrays of one shape, cell by cell: how far apart they are, and what is no finite number."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from quizzes.grader.wire import Array

Floats = npt.NDArray[Any]  # float64, or complex128


def as_floats(array: Array) -> Floats:
    """The numbers as float64; complex ones as they are, since an imaginary part is no rounding."""
    return np.asarray(array, dtype=np.complex128 if np.iscomplexobj(array) else np.float64)


def cell_errors(expected: Floats, got: Floats) -> Floats:
    """|got - expected|: 0 where both are the same infinity or NaN, infinite where one is NaN."""
    same = (expected == got) | (np.isnan(expected) & np.isnan(got))
    with np.errstate(all="ignore"):
        error = np.abs(got - expected)
    return np.where(same, 0.0, np.where(np.isnan(error), np.inf, error))


def not_finite(expected: Array, got: Array) -> npt.NDArray[np.bool_] | None:
    """Where a number is NaN or infinite although a finite one is expected; None: nowhere."""
    finite = np.isfinite(as_floats(got))
    if finite.all():
        return None
    bad: npt.NDArray[np.bool_] = np.isfinite(as_floats(expected)) & ~finite
    return bad if bad.any() else None
