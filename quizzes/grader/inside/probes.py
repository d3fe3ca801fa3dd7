"""The probes: each runs the submitted code in one way and says what was observed.

An observation is a list of leaves (see `describe` and `facts`). Inputs are made anew for every
call, so code that works in place cannot spoil the next case; `changed.<argument>` says whether it
did. Randomness never becomes a value: it becomes a fact, or a leaf of kind `random`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

from quizzes.grader.case import Case
from quizzes.grader.inside.calling import call_by_name, fresh, is_module, make, run
from quizzes.grader.inside.describe import Leaf, describe
from quizzes.grader.inside.failures import OutOfTime
from quizzes.grader.inside.gradient_probes import GRADIENT_PROBES
from quizzes.grader.inside.module_probes import MODULE_PROBES
from quizzes.grader.inside.property_probes import PROPERTY_PROBES

ENOUGH_SECONDS, LONG_SECONDS, VERY_LONG_SECONDS = 0.0005, 0.01, 0.05
FEWEST_RUNS, MOST_RUNS = 2, 6  # the first is cold


def observe(target: Any, case: Case, library: str) -> list[Leaf]:
    """Runs the case's probe on the submitted function or class."""
    return _PROBES[case.probe](target, case, library)


def measure(target: Any, case: Case, library: str) -> float | None:
    """Processor seconds of the fastest of some calls; None when the code fails here.

    By the clock, another program that has the core for a moment makes a quick call a slow one.
    """
    try:
        function = make(target, case, library)
        if is_module(function):
            function.eval()
        seconds, waited = list[float](), list[float]()
        while len(seconds) < MOST_RUNS and not _is_enough(waited):
            kwargs = fresh(case.kwargs, library)
            started, spent = time.perf_counter(), time.thread_time()
            call_by_name(function, kwargs)
            seconds.append(time.thread_time() - spent)
            waited.append(time.perf_counter() - started)
    except OutOfTime:
        raise
    except BaseException:
        return None
    return min(seconds)


def _is_enough(seconds: list[float]) -> bool:
    """Another program may be in the way of one call, not of several."""
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
    **GRADIENT_PROBES,
    **PROPERTY_PROBES,
}
