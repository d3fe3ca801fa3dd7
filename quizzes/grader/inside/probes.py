"""The probes: each runs the submitted code in one way and says what was observed.

An observation is a list of leaves (see `describe` and `probe_leaves`). Inputs are made for
every call, so code that works in place cannot spoil the next case; `changed.<argument>` says
whether it did. Randomness never becomes a value: it becomes a fact, or a leaf of kind `random`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from quizzes.grader.inside.calling import call_by_name, fresh, is_module, make, result_of, run
from quizzes.grader.inside.describe import Leaf, describe
from quizzes.grader.inside.failures import OutOfTime
from quizzes.grader.inside.module_probes import MODULE_PROBES
from quizzes.grader.inside.probe_leaves import send_looks
from quizzes.grader.protocol.case import Case, first_array, has_arrays, takes_pair

# Probes for properties: each calls the code in its own way and sends the results;
# `property_measures`, outside, says whether the property holds. Their inputs are made here from the
# case's own, since a property is about several calls (one vector at every position, later rows
# changed), and an author would have to write the same inputs into each exercise.


def _norm_change(target: Any, case: Case, library: str) -> list[Leaf]:
    """Call once. Arguments `q` and `k` are looked at together and a pair is expected."""
    result = _result(target, case, library)
    return send_looks(case, result, _pair_of(result) if takes_pair(case) else [result])


def _relative_scores(target: Any, case: Case, library: str) -> list[Leaf]:
    """Call with one vector at every position as queries, and another as keys.

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
    """Return the result before and after a change of the later half of all rows (axis -2).

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
    return result_of(function, case, library)


def _pair_of(result: Any) -> list[Any]:
    return list(result) if isinstance(result, tuple | list) else [result]


def _everywhere(x: Any, row: int) -> Any:
    """Repeat one row of (..., L, D) at all L positions."""
    return np.ascontiguousarray(np.broadcast_to(x[..., row : row + 1, :], x.shape))


def _with(case: Case, **kwargs: Any) -> Case:
    return replace(case, kwargs={**case.kwargs, **kwargs})


PROPERTY_PROBES: Mapping[str, Callable[[Any, Case, str], list[Leaf]]] = {
    "norm_change": _norm_change,
    "relative_scores": _relative_scores,
    "rows_unique": _rows_unique,
    "causal": _causal,
}


ENOUGH_SECONDS, LONG_SECONDS, VERY_LONG_SECONDS = 0.0005, 0.01, 0.05
FEWEST_RUNS, MOST_RUNS = 2, 6  # the first is cold


def observe(target: Any, case: Case, library: str) -> list[Leaf]:
    """Run the case's probe on the submitted function or class."""
    return _PROBES[case.probe](target, case, library)


Timed = tuple[float, list[Leaf]]


def measure(target: Any, case: Case, library: str) -> Timed | None:
    """Return processor seconds of the fastest of some calls, and the result of this very call.

    None when the code fails here. By the clock, another program that has the core for a moment
    makes a quick call a slow one. The first call is cold and counts only where it is the only one:
    so its result is dropped, and the next call finds its memory. A result is copied before a later
    call can write into it.
    """
    try:
        function = make(target, case, library)
        if is_module(function):
            function.eval()
        fastest: Timed | None = None
        waited = list[float]()
        while True:
            kwargs = fresh(case.kwargs, library)
            started, spent = time.perf_counter(), time.thread_time()
            result = call_by_name(function, kwargs)
            seconds = time.thread_time() - spent
            waited.append(time.perf_counter() - started)
            last = len(waited) >= MOST_RUNS or _is_enough(waited)
            if (last or len(waited) > 1) and (fastest is None or seconds < fastest[0]):
                leaves = describe("out", result)
                fastest = seconds, leaves if last else _copied(leaves)
                del leaves
            if last:
                return fastest
            del result
    except OutOfTime:
        raise
    except BaseException:
        return None


def _copied(leaves: list[Leaf]) -> list[Leaf]:
    return [(entry, None if array is None else array.copy()) for entry, array in leaves]


def _is_enough(seconds: list[float]) -> bool:
    """Say whether so many calls are enough.

    Another program may be in the way of one call, not of several.
    """
    if min(seconds, default=0) > LONG_SECONDS:
        return len(seconds) > 1 or seconds[0] > VERY_LONG_SECONDS
    return len(seconds) >= FEWEST_RUNS and sum(seconds) > ENOUGH_SECONDS


def _call(target: Any, case: Case, library: str) -> list[Leaf]:
    result, changes = run(make(target, case, library), case, library)
    return [*describe("out", result), *changes]


def _input_unchanged(target: Any, case: Case, library: str) -> list[Leaf]:
    return run(make(target, case, library), case, library)[1]


_PROBES: Mapping[str, Callable[[Any, Case, str], list[Leaf]]] = {
    "call": _call,
    "input_unchanged": _input_unchanged,
    **MODULE_PROBES,
    **PROPERTY_PROBES,
}
