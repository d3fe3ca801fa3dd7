"""Probes for properties that hold whatever the layout is: lengths, distances, rows, order.

Each calls the code in its own way and sends what came out; `property_measures`, outside, says
whether the property holds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from quizzes.grader.case import Case, first_array, has_arrays, takes_pair
from quizzes.grader.inside.calling import is_module, make, run
from quizzes.grader.inside.describe import Leaf
from quizzes.grader.inside.looking import send_looks


def _norm_change(target: Any, case: Case, library: str) -> list[Leaf]:
    """One call. Arguments `q` and `k` are looked at together and a pair is expected."""
    result = _result(target, case, library)
    return send_looks(case, result, _pair_of(result) if takes_pair(case) else [result])


def _relative_scores(target: Any, case: Case, library: str) -> list[Leaf]:
    """One vector at every position as queries, another as keys.

    Arguments `q` and `k` are called together and a pair is expected; a single array argument of
    shape (..., L, D) is called twice, its first two rows are the two vectors. Without array
    arguments the result itself is what is added to scores, (..., Lq, Lk).
    """
    if not has_arrays(case):
        bias = _result(target, case, library)
        return send_looks(case, bias, [bias])
    if takes_pair(case):
        q, k = case.kwargs["q"], case.kwargs["k"]
        result = _result(target, _with(case, q=_everywhere(q, 0), k=_everywhere(k, 1)), library)
        return send_looks(case, result, _pair_of(result))
    name = first_array(case)
    rows = [_everywhere(case.kwargs[name], row) for row in (0, 1)]
    parts = [_result(target, _with(case, **{name: row}), library) for row in rows]
    return send_looks(case, parts[0], parts)


def _rows_unique(target: Any, case: Case, library: str) -> list[Leaf]:
    result = _result(target, case, library)
    return send_looks(case, result, [result])


def _causal(target: Any, case: Case, library: str) -> list[Leaf]:
    """Changes the later half of all rows (axis -2): the result before and after.

    Without array arguments the result is what is added to scores, (..., Lq, Lk).
    """
    if not has_arrays(case):
        bias = _result(target, case, library)
        return send_looks(case, bias, [bias])
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
    return send_looks(case, results[0], results)


def _result(target: Any, case: Case, library: str) -> Any:
    function = make(target, case, library)
    if is_module(function):
        function.eval()
    return run(function, case, library)[0]


def _pair_of(result: Any) -> list[Any]:
    return list(result) if isinstance(result, tuple | list) else [result]


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
