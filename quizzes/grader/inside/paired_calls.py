"""Calling the two cases of a pair again, A, B, A, to find what code keeps between calls.

The probes make a module anew for every case, so what a module keeps in itself shows only here: both
calls are of one instance in eval mode (of two where the pair differs in a constructor argument, so
that what the class keeps shows). A module that was filled is then filled with other numbers, as one
step of training would, and called once more: rows that it kept from before are wrong by then.

Arguments are made anew for every call and the code's own results are never written to: a memo that
hands out its own array again is right. Each result is described before the next call, since the
next call may write into the same array. Nothing of a call is held on to when it is over, or memory
would never be used again, and code that remembers arguments by `id` would be right by our doing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from quizzes.grader.inside.calling import fill, is_module, make, run
from quizzes.grader.inside.describe import Leaf, describe
from quizzes.grader.protocol.case import Case

ANEW = 1.0  # added to each learned number when a module is filled again

Call = Callable[[], list[Leaf]]


def calls_of_pair(
    target: Any, first: Case, second: Case, library: str
) -> Iterator[tuple[Case, Call]]:
    """Yield the calls in their order, each with its case; `protocol.pairs` counts as many."""
    of_first = of_second = _Called(target, library)
    if first.init is not None and first.pair in first.init:
        of_second = _Called(target, library)
    yield first, partial(of_first.call, first)
    yield second, partial(of_second.call, second)
    yield first, partial(of_first.call, first)
    if first.refills:
        yield first, partial(of_first.call_refilled, first)


class _Called:
    """What is called: the function, or one instance of the class, made at its first call."""

    def __init__(self, target: Any, library: str) -> None:
        self._target = target
        self._library = library
        self._instance: Any = None

    def call(self, case: Case) -> list[Leaf]:
        return describe("out", run(self._made_for(case), case, self._library)[0])

    def call_refilled(self, case: Case) -> list[Leaf]:
        instance = self._made_for(case)
        if is_module(instance):
            fill(instance, above=ANEW)
        return self.call(case)

    def _made_for(self, case: Case) -> Any:
        if self._instance is None:
            self._instance = make(self._target, case, self._library)
            if is_module(self._instance):
                self._instance.eval()
        return self._instance
