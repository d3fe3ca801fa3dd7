"""Probes for properties that hold whatever the layout is: lengths, distances, rows, order."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from quizzes.grader.case import Case
from quizzes.grader.inside.calling import as_numbers, first_array, has_arrays, is_module, make, run
from quizzes.grader.inside.describe import Leaf
from quizzes.grader.inside.facts import fact
from quizzes.grader.inside.looking import is_small, look_at

EXACT = 1e-4  # of the largest number: far above float32's rounding, far below any mistake
VISIBLE = 1e-3
APART = 1e-4  # in the table's own units: how far equal rows may be apart by rounding


def _norm_change(target: Any, case: Case, library: str) -> list[Leaf]:
    """Lengths along the last axis, of the result and of the first array argument.

    Arguments `q` and `k` are looked at together and a pair is expected. Without array arguments the
    result is a matrix, and what it does to the length of any vector is looked at.
    """
    result = _result(target, case, library)
    if not has_arrays(case):
        return look_at(result, [result], _stretch)
    names = ("q", "k") if {"q", "k"} <= case.kwargs.keys() else (first_array(case),)
    parts = result if len(names) == 2 and isinstance(result, tuple | list) else (result,)
    given = [as_numbers(case.kwargs[name]) for name in names]

    def look(*turned: Any) -> list[Leaf] | None:
        if [item.shape for item in turned] != [item.shape for item in given]:
            return None
        change = max(_length_change(*pair) for pair in zip(given, turned, strict=True))
        return fact("norm_kept", change < EXACT, change)

    return look_at(result, parts, look)


def _stretch(matrix: Any) -> list[Leaf] | None:
    square = matrix.ndim == 2 and matrix.shape[0] == matrix.shape[1]
    if not square or not is_small(matrix) or not np.isfinite(matrix).all():
        return None
    change = float(np.max(np.abs(np.linalg.svd(matrix, compute_uv=False) - 1)))
    return fact("norm_kept", change < EXACT, change)


def _length_change(given: Any, turned: Any) -> float:
    before, after = (np.linalg.norm(item, axis=-1) for item in (given, turned))
    return float(np.max(np.abs(after - before) / np.maximum(before, 1e-12), initial=0.0))


def _relative_scores(target: Any, case: Case, library: str) -> list[Leaf]:
    """One vector at every position as queries, another as keys: scores must be a Toeplitz matrix.

    Arguments `q` and `k` are called together and a pair is expected; a single array argument of
    shape (..., L, D) is called twice, its first two rows are the two vectors. Without array
    arguments the result itself is what is added to scores, (..., Lq, Lk).
    """
    if not has_arrays(case):
        bias = _result(target, case, library)
        return look_at(bias, [bias], _bias_by_distance)
    if {"q", "k"} <= case.kwargs.keys():
        q, k = case.kwargs["q"], case.kwargs["k"]
        result = _result(target, _with(case, q=_everywhere(q, 0), k=_everywhere(k, 1)), library)
        parts = result if isinstance(result, tuple | list) else (result,)
    else:
        name = first_array(case)
        q = k = case.kwargs[name]
        parts = [
            _result(target, _with(case, **{name: _everywhere(q, row)}), library) for row in (0, 1)
        ]
        result = parts[0]

    def look(*turned: Any) -> list[Leaf] | None:
        alike = [item.shape for item in turned] == [q.shape, k.shape]
        return _scores_by_distance(*turned) if alike else None

    return look_at(result, parts, look)


def _bias_by_distance(bias: Any) -> list[Leaf] | None:
    looked_at = bias.ndim >= 2 and is_small(bias)
    return _describe_scores(bias, "bias_by_distance") if looked_at else None


def _scores_by_distance(turned_q: Any, turned_k: Any) -> list[Leaf]:
    if turned_q.shape[-3:-2] != turned_k.shape[-3:-2]:  # fewer key heads than query heads
        turned_k = np.repeat(turned_k, turned_q.shape[-3] // turned_k.shape[-3], axis=-3)
    return _describe_scores(turned_q @ np.swapaxes(turned_k, -1, -2), "offset_only")


def _describe_scores(scores: Any, name: str) -> list[Leaf]:
    """Of distances that are masked everywhere, nothing is measured."""
    largest = max(float(np.max(np.abs(scores[np.isfinite(scores)]), initial=0.0)), 1e-12)
    queries, keys = scores.shape[-2:]
    diagonals = [np.diagonal(scores, offset, -2, -1) for offset in range(1 - queries, keys)]
    seen = [item for item in diagonals if not np.isneginf(item).all()] or diagonals
    with np.errstate(invalid="ignore"):
        spread = float(np.max([np.max(np.ptp(item, axis=-1)) for item in seen])) / largest
        means = np.stack([item.mean(axis=-1) for item in seen])
        range_ = float(np.max(np.ptp(means, axis=0))) / largest
    leaves = fact(name, spread < EXACT, spread)
    return [*leaves, *fact("distance_matters", range_ > VISIBLE, range_)]


def _rows_unique(target: Any, case: Case, library: str) -> list[Leaf]:
    """The rows (..., L, d) of the first of the batch."""
    result = _result(target, case, library)
    return look_at(result, [result], _closest_rows)


def _closest_rows(table: Any) -> list[Leaf] | None:
    if table.ndim < 2:
        return None
    rows = table.reshape(-1, *table.shape[-2:])[0]
    if not is_small(rows):
        return None
    later = range(1, len(rows))  # one row after another: all differences at once may be gigabytes
    squares = [np.min(np.sum((rows[at:] - rows[at - 1]) ** 2, axis=-1)) for at in later]
    closest = float(np.sqrt(np.min(squares, initial=np.inf)))
    return fact("rows_unique", closest > APART, closest)


def _causal(target: Any, case: Case, library: str) -> list[Leaf]:
    """Changes the later half of all rows (axis -2) and looks at the earlier half of the result.

    Without array arguments the result is what is added to scores, (..., Lq, Lk), the queries being
    the last of the positions: values of 1 in the place of 0 at later keys change a query's result
    by the weights of these keys.
    """
    if not has_arrays(case):
        bias = _result(target, case, library)
        return look_at(bias, [bias], _later_weights)
    arrays = {
        name: value
        for name, value in case.kwargs.items()
        if isinstance(value, np.ndarray) and value.dtype.kind == "f" and value.ndim >= 3
    }
    half = max(value.shape[-2] for value in arrays.values()) // 2
    changed = {name: value.copy() for name, value in arrays.items()}
    for value in changed.values():
        value[..., half:, :] = 1.5 - value[..., half:, :]
    results = [_result(target, _with(case, **kwargs), library) for kwargs in (arrays, changed)]

    def look(before: Any, after: Any) -> list[Leaf] | None:
        if before.ndim < 2 or before.shape != after.shape:
            return None
        largest = max(float(np.max(np.abs(before))), 1e-12)
        difference = np.abs(after[..., :half, :] - before[..., :half, :])
        change = float(np.max(difference, initial=0.0))
        return fact("causal", change < EXACT * largest, change)

    return look_at(results[0], results, look)


def _later_weights(bias: Any) -> list[Leaf] | None:
    if bias.ndim < 2 or not is_small(bias):
        return None
    queries, keys = bias.shape[-2:]
    most = np.max(bias, axis=-1, keepdims=True)
    if queries > keys or not np.isfinite(most).all():
        return None
    weights = np.exp(bias - most)
    weights /= weights.sum(axis=-1, keepdims=True)
    later = np.arange(keys) > np.arange(queries)[:, None] + keys - queries
    change = float(np.max(np.sum(weights * later, axis=-1)))
    return fact("causal", change < EXACT, change)


def _result(target: Any, case: Case, library: str) -> Any:
    function = make(target, case, library)
    if is_module(function):
        function.eval()
    return run(function, case, library)[0]


def _everywhere(x: Any, row: int) -> Any:
    """One row of (..., L, D) at all L positions."""
    return np.ascontiguousarray(np.broadcast_to(x[..., row : row + 1, :], x.shape))


def _with(case: Case, **kwargs: Any) -> Case:
    return replace(case, kwargs={**case.kwargs, **kwargs})


PROPERTY_PROBES: Mapping[str, Callable[[Any, Case, str], list[Leaf]]] = {
    "norm_change": _norm_change,
    "relative_scores": _relative_scores,
    "rows_unique": _rows_unique,
    "causal": _causal,
}
