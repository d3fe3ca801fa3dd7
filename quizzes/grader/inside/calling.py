"""Calling what a submission defines: arguments made for it, by keyword, and what became of them.

Arguments are copied for every call, or code that works in place would spoil the cases after it, and
a right solution would fail in the wrong place. The case keeps the originals, so that what became of
an argument can be told: bytes are compared, since NaN does not equal itself and -0.0 equals 0.0.

A call that does not fit the signature is told from a TypeError of the code's own: both look alike
from outside. The signature is looked at once there was a TypeError, and only if it does not take
the arguments is it the reason.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from quizzes.grader.inside.describe import Leaf, describe, is_tensor, type_name
from quizzes.grader.protocol.case import Case

FILLED_BY = 7  # learned numbers are set to 1/7, 2/7, ...
DRAWN_UP_TO = 3.0  # ... or drawn evenly from -3 to 3


class SignatureMismatchError(TypeError):
    """The target cannot be called with these arguments by name."""


class NotAModuleError(TypeError):
    """A class was asked for that makes a torch.nn.Module."""


def make(target: Any, case: Case, library: str) -> Any:
    """Return the function itself, or the module the class makes of `init`, filled if asked for."""
    if case.init is None:
        return target
    module = call_by_name(target, fresh(case.init, library))
    if library == "torch":
        import torch

        if not isinstance(module, torch.nn.Module):
            raise NotAModuleError(type_name(module))
        if case.fill:
            fill(list(module.parameters()), case.fill_seed)
    return module


def result_of(function: Any, case: Case, library: str) -> Any:
    """Return the result of one call."""
    return call_by_name(function, fresh(case.kwargs, library))


def run(function: Any, case: Case, library: str) -> tuple[Any, list[Leaf]]:
    """Return the result of one call, and a `changed.<name>` leaf for each array argument."""
    kwargs = fresh(case.kwargs, library)
    result = call_by_name(function, kwargs)
    return result, _changes(case.kwargs, kwargs)


def call_by_name(function: Any, kwargs: Mapping[str, Any]) -> Any:
    """Call it, or raise SignatureMismatchError with the signature it has.

    The signature is looked at only after a TypeError: that takes longer than many calls.
    """
    try:
        return function(**kwargs)
    except TypeError:
        mismatch = _mismatch(function, kwargs)
        if mismatch is None:
            raise
    raise SignatureMismatchError(mismatch)


def fresh(values: Mapping[str, Any], library: str) -> dict[str, Any]:
    """Return new arguments, arrays as the exercise's library has them."""
    return {name: fresh_value(value, library) for name, value in values.items()}


def is_module(value: Any) -> bool:
    """Say whether it is a torch.nn.Module, without importing torch."""
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(value, torch.nn.Module)


def _mismatch(function: Any, kwargs: Mapping[str, Any]) -> str | None:
    """Return the signature, and why these arguments do not fit it; None when they do."""
    called = function
    if is_module(function) and "__call__" not in vars(type(function)):
        called = function.forward  # what torch wraps takes anything
    try:
        signature = inspect.signature(called)
    except (TypeError, ValueError):
        return None  # some builtins have none
    try:
        signature.bind(**kwargs)
    except TypeError as error:
        return f"{signature}\n{error}"
    return None


def fill(parameters: Sequence[Any], seed: int | None) -> None:
    """Set all numbers of these parameters to 1/7, 2/7 ..., or to those that the seed draws.

    The numbers go on from one parameter to the next: a table may be kept in several.
    """
    import torch

    total, start = sum(item.numel() for item in parameters), 0
    if seed is None:
        numbers = np.arange(1, total + 1) / FILLED_BY
    else:
        numbers = np.random.default_rng(seed).uniform(-DRAWN_UP_TO, DRAWN_UP_TO, total)
    with torch.no_grad():
        for parameter in parameters:
            end = start + parameter.numel()
            parameter.copy_(torch.from_numpy(numbers[start:end]).reshape(parameter.shape))
            start = end


def fresh_value(value: Any, library: str) -> Any:
    """Return a new copy of one argument."""
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
            now = after[name]
            now = np.asarray(now.detach() if is_tensor(now) else now)
            same = now.shape == value.shape and now.tobytes() == value.tobytes()
            leaves += describe(f"changed.{name}", np.asarray(not same))
    return leaves
