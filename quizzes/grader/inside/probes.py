"""The probes: each runs the student's code in one way and says what was observed.

An observation is a list of leaves (see `describe`). Inputs are made anew for every call, so code
that works in place cannot spoil the next case; `changed.<argument>` says whether it did.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from quizzes.grader.case import Case
from quizzes.grader.inside.describe import Leaf, describe


class SignatureMismatchError(TypeError):
    """The target cannot be called with these arguments by name."""


def observe(target: Any, case: Case, library: str) -> list[Leaf]:
    """Runs the case's probe on the student's function or class."""
    return _PROBES[case.probe](target, case, library)


def _call(target: Any, case: Case, library: str) -> list[Leaf]:
    kwargs = _fresh(case.kwargs, library)
    function = target
    if case.init is not None:
        function = _call_by_name(target, _fresh(case.init, library))
    result = _call_by_name(function, kwargs)
    return [*describe("out", result), *_changes(case.kwargs, kwargs)]


def _input_unchanged(target: Any, case: Case, library: str) -> list[Leaf]:
    return [leaf for leaf in _call(target, case, library) if leaf[0]["key"].startswith("changed.")]


_PROBES: Mapping[str, Callable[[Any, Case, str], list[Leaf]]] = {
    "call": _call,
    "input_unchanged": _input_unchanged,
}


def _call_by_name(function: Any, kwargs: Mapping[str, Any]) -> Any:
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        signature = None  # some builtins have none; then the call itself decides
    if signature is not None:
        try:
            signature.bind(**kwargs)
        except TypeError as error:
            raise SignatureMismatchError(f"{signature}\n{error}") from None
    return function(**kwargs)


def _fresh(values: Mapping[str, Any], library: str) -> dict[str, Any]:
    return {name: _fresh_value(value, library) for name, value in values.items()}


def _fresh_value(value: Any, library: str) -> Any:
    if not isinstance(value, np.ndarray):
        return value
    copy = value.copy()
    if library == "torch":
        import torch

        return torch.from_numpy(copy)
    return copy


def _changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[Leaf]:
    leaves: list[Leaf] = []
    for name, value in before.items():
        if isinstance(value, np.ndarray):
            now = np.asarray(after[name])
            same = now.shape == value.shape and now.tobytes() == value.tobytes()
            leaves += describe(f"changed.{name}", np.asarray(not same))
    return leaves
