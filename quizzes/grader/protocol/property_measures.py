"""What the arrays of a probe show: lengths, distances, rows, order, dropout, dtype.

The probes send the arrays that they look at as `look.0`, `look.1` ...; here, outside the sandbox,
they become facts. Arrays could be sent that have a property and are of no result: where the numbers
are the same for every right solution, they stay beside the facts as `look.0` ..., and the judge
compares them too before it says `correct`. A pack keeps no look that has chance in it. Arrays that
show nothing (another shape, NaN where none may be) are put back as the result, `out`, of which the
report says that it cannot be looked at.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from quizzes.grader.protocol.case import (
    TRAINING_CALLS,
    Case,
    comparable_looks,
    count_looks,
    dropout_rate,
    first_array,
    has_arrays,
    takes_pair,
)
from quizzes.grader.protocol.drop_count import DropCount
from quizzes.grader.protocol.observation import Leaf

HALF_DTYPES = ("float16", "bfloat16", "float32", "float64")  # a fact is a number: its place
EXACT = 1e-4  # of the largest number: far above float32's rounding, far below any mistake
VISIBLE = 1e-3
APART = 1e-4  # in the table's own units: how far equal rows may be apart by rounding
SCALED = 1e-3  # of a number that dropout keeps: how far it may be from its own share
MOST_NUMBERS = 1 << 18  # of a table or matrix that is looked at as a whole ...
_DTYPES = {bool: "bool", int: "int64", float: "float64"}
MOST_LONG = 1024  # ... and along each of its last two axes: half a second, some megabytes

Floats = npt.NDArray[np.float64]
Leaves = dict[str, Leaf]


def measure_properties(case: Case, leaves: Mapping[str, Leaf]) -> Mapping[str, Leaf]:
    """Return the leaves of a case with facts in the place of the arrays that its probe looked at.

    Of a module in eval mode, the dtype of the result joins the facts of the process.
    """
    if case.probe == "call_eval":
        return {**leaves, **_dtype_kept(case, leaves)}
    if "look.0" not in leaves:
        return leaves
    looks = [leaves[f"look.{place}"] for place in range(count_looks(case))]
    facts = _measure(case, looks)
    if facts is None:
        return _as_result(case, looks)
    return {**facts, **{f"look.{place}": looks[place] for place in comparable_looks(case)}}


def _measure(case: Case, looks: Sequence[Leaf]) -> Leaves | None:
    if case.probe == "call_half":
        dtype = looks[0].dtype
        code = HALF_DTYPES.index(dtype) if dtype in HALF_DTYPES else -1
        return _fact("half_dtype", code) if looks[0].kind == "tensor" else None
    arrays = [_real_numbers(leaf) for leaf in looks]
    numbers = [array for array in arrays if array is not None]
    if len(numbers) < len(arrays):
        return None
    with np.errstate(all="ignore"):
        try:
            return _MEASURES[case.probe](case, *numbers)
        except (ArithmeticError, LookupError, TypeError, ValueError):
            return None


def _as_result(case: Case, looks: Sequence[Leaf]) -> Leaves:
    if takes_pair(case) and case.probe in ("norm_change", "relative_scores"):
        return {f"out.{place}": leaf for place, leaf in enumerate(looks)}
    return {"out": looks[0]}


def _real_numbers(leaf: Leaf) -> Floats | None:
    if leaf.values is None or not leaf.values.size or leaf.values.dtype.kind not in "biuf":
        return None
    return leaf.values.astype(np.float64)


def _fact(name: str, value: bool | int, seen: float | None = None) -> Leaves:
    leaves = {f"fact.{name}": _scalar(value)}
    if seen is not None and math.isfinite(seen):
        leaves[f"seen.{name}"] = _scalar(float(seen))
    return leaves


def _scalar(value: bool | int | float) -> Leaf:
    array = np.asarray(value)
    return Leaf("array", "ndarray", _DTYPES[type(value)], (), values=array)


def _dtype_kept(case: Case, leaves: Mapping[str, Leaf]) -> Leaves:
    """Say whether a tensor has the dtype of the first array argument; nothing where none is."""
    out = leaves.get("out")
    floats = [
        value
        for value in case.kwargs.values()
        if isinstance(value, np.ndarray) and value.dtype.kind == "f"
    ]
    if not floats or out is None or out.kind not in ("tensor", "random"):
        return {}
    return _fact("dtype_kept", out.dtype == _name_of(floats[0].dtype))


@cache
def _name_of(dtype: np.dtype[Any]) -> str:
    """Return the name of a dtype, put together once: numpy does so each time."""
    return dtype.name


def _norm_change(case: Case, *turned: Floats) -> Leaves | None:
    """Measure lengths along the last axis; of a matrix, what it does to any vector's length."""
    if not has_arrays(case):
        return _stretch(*turned)
    names = ("q", "k") if takes_pair(case) else (first_array(case),)
    given = [np.asarray(case.kwargs[name], np.float64) for name in names]
    if [item.shape for item in turned] != [item.shape for item in given]:
        return None
    change = max(_length_change(*pair) for pair in zip(given, turned, strict=True))
    return _fact("norm_kept", change < EXACT, change)


def _stretch(matrix: Floats) -> Leaves | None:
    square = matrix.ndim == 2 and matrix.shape[0] == matrix.shape[1]
    if not square or not is_small(matrix) or not np.isfinite(matrix).all():
        return None
    change = float(np.max(np.abs(np.linalg.svd(matrix, compute_uv=False) - 1)))
    return _fact("norm_kept", change < EXACT, change)


def _length_change(original: Floats, turned: Floats) -> float:
    before, after = (np.linalg.norm(item, axis=-1) for item in (original, turned))
    return float(np.max(np.abs(after - before) / np.maximum(before, 1e-12), initial=0.0))


def _relative_scores(case: Case, *turned: Floats) -> Leaves | None:
    """Measure whether scores of one vector at every position with another are a Toeplitz matrix."""
    if not has_arrays(case):
        (bias,) = turned
        looked_at = bias.ndim >= 2 and is_small(bias)
        return _describe_scores(bias, "bias_by_distance") if looked_at else None
    names = ("q", "k") if takes_pair(case) else (first_array(case),) * 2
    if [item.shape for item in turned] != [case.kwargs[name].shape for name in names]:
        return None
    return _scores_by_distance(*turned)


def _scores_by_distance(turned_q: Floats, turned_k: Floats) -> Leaves:
    if turned_q.shape[-3:-2] != turned_k.shape[-3:-2]:  # fewer key heads than query heads
        turned_k = np.repeat(turned_k, turned_q.shape[-3] // turned_k.shape[-3], axis=-3)
    return _describe_scores(turned_q @ np.swapaxes(turned_k, -1, -2), "offset_only")


def _describe_scores(scores: Floats, name: str) -> Leaves:
    """Measure scores by distance; of distances that are masked everywhere, nothing."""
    largest = max(float(np.max(np.abs(scores[np.isfinite(scores)]), initial=0.0)), 1e-12)
    queries, keys = scores.shape[-2:]
    diagonals = [np.diagonal(scores, offset, -2, -1) for offset in range(1 - queries, keys)]
    seen = [item for item in diagonals if not np.isneginf(item).all()] or diagonals
    spread = float(np.max([np.max(np.ptp(item, axis=-1)) for item in seen])) / largest
    means = np.stack([item.mean(axis=-1) for item in seen])
    range_ = float(np.max(np.ptp(means, axis=0))) / largest
    leaves = _fact(name, spread < EXACT, spread)
    return {**leaves, **_fact("distance_matters", range_ > VISIBLE, range_)}


def _rows_unique(_case: Case, table: Floats) -> Leaves | None:
    """Measure the least distance of two rows (..., L, d), of the first of the batch."""
    if table.ndim < 2:
        return None
    rows = table.reshape(-1, *table.shape[-2:])[0]
    if not is_small(rows):
        return None
    block = max(1, MOST_NUMBERS // rows.size)  # all differences at once may be gigabytes
    nearest = []
    for start in range(0, len(rows), block):
        later = rows[start:]
        squares = np.sum((later[:block, None] - later) ** 2, axis=-1)
        np.fill_diagonal(squares, np.inf)  # a row and itself
        nearest.append(np.min(squares))
    closest = float(np.sqrt(np.min(nearest)))
    return _fact("rows_unique", closest > APART, closest)


def _causal(case: Case, *results: Floats) -> Leaves | None:
    """Say whether the earlier half of the result is the same after the later rows were changed."""
    if not has_arrays(case):
        return _later_weights(*results)
    before, after = results
    rows = [
        value.shape[-2]
        for value in case.kwargs.values()
        if isinstance(value, np.ndarray) and value.dtype.kind == "f" and value.ndim >= 3
    ]
    if before.ndim < 2 or before.shape != after.shape:
        return None
    half = max(rows) // 2
    largest = max(float(np.max(np.abs(before[np.isfinite(before)]), initial=0.0)), 1e-12)
    difference = np.abs(after[..., :half, :] - before[..., :half, :])
    change = float(np.max(difference, initial=0.0))
    return _fact("causal", change < EXACT * largest, change)


def _later_weights(bias: Floats) -> Leaves | None:
    """Measure the weight that softmax gives to later keys, queries being the last positions."""
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
    return _fact("causal", change < EXACT, change)


def _call_twice_train(case: Case, *looks: Floats) -> Leaves | None:
    """Measure what dropout did in training beside what eval mode gives.

    Numbers that are 0 without it say nothing of it, so they are not counted.
    """
    calls, plain = looks[: len(TRAINING_CALLS)], looks[len(TRAINING_CALLS)]
    counted, rate = plain != 0, dropout_rate(case)
    if any(item.shape != plain.shape for item in looks) or not counted.any():
        return None
    drops = DropCount(rate, counted, [item == 0 for item in calls])
    repeats = any(np.array_equal(*pair) for pair in combinations(calls, 2))
    differ = drops.differ if drops.has_rate else not (repeats and drops.tells_repeats)
    return {
        **_fact("dropout_share", _share_dropped(drops), drops.share),
        **_fact("calls_differ", differ),
        **_fact("kept_scaled", all(_is_scaled(item, plain, drops) for item in calls)),
        **_fact("drops_alone", drops.are_alone or not drops.has_rate),
    }


def _share_dropped(drops: DropCount) -> int:
    """Return 1 for the share that was asked for, 0 where nothing is dropped, 2 for another share.

    They are two mistakes: a name is given by what facts say.
    """
    if drops.has_rate:
        return 1
    return 2 if drops.share else 0


def _is_scaled(dropped: Floats, plain: Floats, drops: DropCount) -> bool:
    """Say whether every number that was kept is divided by the share of those that are kept.

    Chance may drop all of a few numbers, or none. Where it has not, and nothing was dropped, the
    share is wrong already: then the numbers may be as they are without dropout.
    """
    kept = (dropped != 0) | (plain == 0)
    if not kept.any():
        return drops.has_rate
    share = 1.0 if kept.all() and not drops.has_rate else 1 - drops.rate
    right = np.abs(dropped * share - plain) <= SCALED * np.abs(plain)
    return bool((right | ~kept).all())


def is_small(table: Floats) -> bool:
    """Say whether it is as small as something that is looked at as a whole has to be."""
    return bool(table.size <= MOST_NUMBERS and max(table.shape[-2:]) <= MOST_LONG)


_MEASURES: Mapping[str, Callable[..., Leaves | None]] = {
    "norm_change": _norm_change,
    "relative_scores": _relative_scores,
    "rows_unique": _rows_unique,
    "causal": _causal,
    "call_twice_train": _call_twice_train,
}
