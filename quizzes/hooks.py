"""Where a room leaves something to a room above it, which it must not import.

A room declares a hook as a function: its arguments and its result are the protocol, its body what
holds while nobody fills it. One room above fills it when Django starts, in its `apps.py`.
docs/architecture.md lists all hooks.
"""

from collections.abc import Callable
from functools import update_wrapper
from typing import Generic, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


class HookError(Exception):
    """A hook is filled a second time: then the order in which rooms start would decide."""


class Hook(Generic[P, T]):
    """A function that a room above may replace, once."""

    __name__: str

    def __init__(self, default: Callable[P, T]) -> None:
        update_wrapper(self, default)
        self.default = self.filling = default

    def fill(self, function: Callable[P, T]) -> None:
        """Let calls go to `function`; raises HookError where another one fills the hook."""
        if self.filling is not self.default and self.filling is not function:
            names = " and ".join(map(full_name, (self.filling, function)))
            raise HookError(f"hook {full_name(self)}: expected one filling, got {names}")
        self.filling = function

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> T:
        return self.filling(*args, **kwargs)


def full_name(function: Callable[..., object]) -> str:
    """Return the module and the name of a function or hook, without "quizzes."."""
    name = getattr(function, "__name__", repr(function))
    return f"{function.__module__}.{name}".removeprefix("quizzes.")
