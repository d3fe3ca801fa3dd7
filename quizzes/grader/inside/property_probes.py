"""Probes for properties that hold whatever the layout is: lengths, distances, rows, order."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from quizzes.grader.case import Case
from quizzes.grader.inside.calling import as_numbers, first_array, is_module, make, run
from quizzes.grader.inside.describe import Leaf, describe, is_tensor
from quizzes.grader.inside.facts import fact

EXACT = 1e-4  # of the largest number: far above float32's rounding, far below any mistake
VISIBLE = 1e-3


def _norm_change(target: Any, case: Case, library: str) -> list[Leaf]:
    """Lengths along the last axis, of the result and of the first array argument.

    Arguments `q` and `k` are looked at together and a pair is expected. Without array arguments the
    result is a matrix, and what it does to the length of any vector is looked at.
    """
    if not _has_arrays(case):
        return _stretch(_result(target, case, library))
    names = ("q", "k") if {"q", "k"} <= case.kwargs.keys() else (first_array(case),)
    result = _result(target, case, library)
    parts = result if len(names) == 2 and isinstance(result, tuple | list) else (result,)
    given = [as_numbers(case.kwargs[name]) for name in names]
    if not all(map(_is_array, parts)):
        return describe("out", result)
    turned = list(map(as_numbers, parts))
    if [item.shape for item in turned] != [item.shape for item in given]:
        return describe("out", result)
    change = max(_length_change(*pair) for pair in zip(given, turned, strict=True))
    return fact("norm_kept", change < EXACT, change)


def _stretch(matrix: Any) -> list[Leaf]:
    if not _is_array(matrix):
        return describe("out", matrix)
    numbers = as_numbers(matrix)
    if numbers.ndim != 2 or numbers.shape[0] != numbers.shape[1] or not np.isfinite(numbers).all():
        return describe("out", matrix)
    change = float(np.max(np.abs(np.linalg.svd(numbers, compute_uv=False) - 1), initial=0.0))
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
    if not _has_arrays(case):
        bias = _result(target, case, library)
        if not _is_array(bias) or as_numbers(bias).ndim < 2:
            return describe("out", bias)
        return _describe_scores(as_numbers(bias), "bias_by_distance")
    if {"q", "k"} <= case.kwargs.keys():
        q, k = case.kwargs["q"], case.kwargs["k"]
        pair = _result(target, _with(case, q=_everywhere(q, 0), k=_everywhere(k, 1)), library)
        if not (isinstance(pair, tuple | list) and len(pair) == 2 and all(map(_is_array, pair))):
            return describe("out", pair)
        turned_q, turned_k = map(as_numbers, pair)
    else:
        name = first_array(case)
        x = case.kwargs[name]
        results = [
            _result(target, _with(case, **{name: _everywhere(x, row)}), library) for row in (0, 1)
        ]
        if not all(_is_array(item) and as_numbers(item).shape == x.shape for item in results):
            return describe("out", results[0])
        turned_q, turned_k = map(as_numbers, results)
    if turned_q.shape[-3:-2] != turned_k.shape[-3:-2]:  # fewer key heads than query heads
        turned_k = np.repeat(turned_k, turned_q.shape[-3] // turned_k.shape[-3], axis=-3)
    return _describe_scores(turned_q @ np.swapaxes(turned_k, -1, -2))


def _describe_scores(scores: Any, name: str = "offset_only") -> list[Leaf]:
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
    rows = as_numbers(result) if _is_array(result) else np.empty(0)
    if rows.ndim < 2 or not rows.size:
        return describe("out", result)
    rows = rows.reshape(-1, *rows.shape[-2:])[0]
    squares = np.sum((rows[:, None] - rows[None]) ** 2, axis=-1)
    np.fill_diagonal(squares, np.inf)
    closest = float(np.sqrt(np.min(squares, initial=np.inf)))
    return fact("rows_unique", closest > EXACT, closest)


def _causal(target: Any, case: Case, library: str) -> list[Leaf]:
    """Changes the later half of all rows (axis -2) and looks at the earlier half of the result.

    Without array arguments the result is what is added to scores, (..., Lq, Lk), the queries being
    the last of the positions: values of 1 in the place of 0 at later keys change a query's result
    by the weights of these keys.
    """
    if not _has_arrays(case):
        return _later_weights(_result(target, case, library))
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
    if not all(_is_array(item) and as_numbers(item).ndim >= 2 for item in results):
        return describe("out", results[0])
    before, after = (as_numbers(item)[..., :half, :] for item in results)
    change = float(np.max(np.abs(after - before), initial=0.0))
    return fact("causal", change < EXACT, change)


def _later_weights(bias: Any) -> list[Leaf]:
    if not _is_array(bias) or as_numbers(bias).ndim < 2:
        return describe("out", bias)
    scores = as_numbers(bias)
    queries, keys = scores.shape[-2:]
    most = np.max(scores, axis=-1, keepdims=True)
    if queries > keys or not np.isfinite(most).all():
        return describe("out", bias)
    weights = np.exp(scores - most)
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


def _has_arrays(case: Case) -> bool:
    return any(isinstance(value, np.ndarray) for value in case.kwargs.values())


def _is_array(value: Any) -> bool:
    return isinstance(value, np.ndarray) or is_tensor(value)


PROPERTY_PROBES: Mapping[str, Callable[[Any, Case, str], list[Leaf]]] = {
    "norm_change": _norm_change,
    "relative_scores": _relative_scores,
    "rows_unique": _rows_unique,
    "causal": _causal,
}
