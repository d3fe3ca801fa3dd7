"""Calling the two cases of a pair again, A, B, A, to find what code keeps between calls.

The probes make a new module for every case, so what a module keeps in itself shows only here: both
calls are of one instance in eval mode (of two where the pair differs in a constructor argument, so
that what the class keeps shows). A module that was filled is then filled with other numbers and
called once more: rows that it kept from before are wrong by then. As an optimizer does, we take its
parameters once, at the beginning, and write into them: the module is not asked for them again, so
code that notices being asked has noticed nothing.

Each call gets new arguments and the code's own results are never written to: a memo that hands out
its own array again is right. Each result is described before the next call, since the next call may
write into the same array. Whether it did shows in the end: what B returned is described again after
the second call of A, and sent if it has changed. The judge decides whether that is a fault.

Code that remembers arguments by `id` is wrong once another array has the place of one that is gone.
When that happens is up to the allocator, and what is wrong now and then would be found now and
then. So no argument is held on to when its call is over, nor let go of before its result is
described, which makes arrays too; and arrays of the next call are made until they have the places
of those that are gone. For the same reason no result is kept before B has had the places of A's
arguments: a result may be an argument. Code that holds on to its arguments keeps their places, and
no array gets them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from quizzes.grader.inside.calling import call_by_name, fill, fresh_value, is_module, make
from quizzes.grader.inside.describe import Entry, Leaf, describe
from quizzes.grader.protocol.case import Case

UNDRAWN = 1  # the seed of a second filling where no pack has drawn one
# Arrays that are made for one argument. Where the place can be had it took 20 at most, and 64 of
# the largest in a shipped pair (3 KB) are 0.2 MB and 0.3 ms. Large arrays have pages of their own,
# so that the place comes back at once or never: they must not use up the code's memory.
MOST_MADE = 64
MOST_BYTES = 16 << 20

Bits = list[tuple[Entry, bytes | None]]
Call = Callable[[], list[Leaf] | None]  # None: as it was, there is nothing to send


def calls_of_pair(target: Any, first: Case, second: Case, library: str) -> list[tuple[Case, Call]]:
    """Return the calls in their order, each with its case; `protocol.pairs` counts as many.

    All are made before the first is called: one made in between takes the place of an array.
    """
    of_first = of_second = _Called(target, library)
    if first.init is not None and first.pair in first.init:
        of_second = _Called(target, library)
    calls: list[tuple[Case, Call]] = [
        (first, partial(of_first.call, first)),
        (second, partial(of_second.call, second, keeps=True)),
        (first, partial(of_first.call, first)),
        (second, of_second.look_back),
    ]
    if first.refills:
        calls.append((first, partial(of_first.call_refilled, first)))
    return calls


class _Called:
    """What is called: the function, or one instance of the class, made at its first call."""

    def __init__(self, target: Any, library: str) -> None:
        self._target = target
        self._library = library
        self._instance: Any = None
        self._parameters: list[Any] = []
        self._places: dict[str, int] = {}
        self._kept: tuple[Any, Bits] | None = None

    def call(self, case: Case, *, keeps: bool = False) -> list[Leaf]:
        """Return the described result; the arguments live until then, see above."""
        instance = self._made_for(case)
        kwargs = {name: self._fresh(name, value) for name, value in case.kwargs.items()}
        self._places = {name: id(value) for name, value in kwargs.items()}
        result = call_by_name(instance, kwargs)
        leaves = describe("out", result)
        if keeps:
            self._kept = result, _bits_of(leaves)
        return leaves

    def look_back(self) -> list[Leaf] | None:
        """Return the kept result as it is now, None where it has not changed in a single bit."""
        if self._kept is None:  # the call raised
            return None
        (result, before), self._kept = self._kept, None
        leaves = describe("out", result)
        return None if _bits_of(leaves) == before else leaves

    def _fresh(self, name: str, value: Any) -> Any:
        """Return a new argument, in the place of the last call's if it can be had."""
        wanted, made = self._places.get(name), [fresh_value(value, self._library)]
        if not isinstance(value, np.ndarray) or wanted is None:
            return made[0]
        most = min(MOST_MADE, MOST_BYTES // max(1, value.nbytes))
        while id(made[-1]) != wanted and len(made) < most:
            made.append(fresh_value(value, self._library))
        return made[-1]

    def call_refilled(self, case: Case) -> list[Leaf]:
        self._made_for(case)
        fill(self._parameters, case.refill_seed or UNDRAWN)
        return self.call(case)

    def _made_for(self, case: Case) -> Any:
        if self._instance is None:
            self._instance = make(self._target, case, self._library)
            if is_module(self._instance):
                self._instance.eval()
                self._parameters = list(self._instance.parameters()) if case.fill else []
        return self._instance


def _bits_of(leaves: list[Leaf]) -> Bits:
    return [(entry, None if array is None else array.tobytes()) for entry, array in leaves]
