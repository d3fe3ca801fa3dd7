"""Pairs of cases that differ in one argument alone, and the calls that are made of them.

Code that keeps a table between calls is right as long as each call asks for another table: by size,
say, when every case has a size of its own. It is found where two calls differ only in what the code
forgot to look at. So once all other cases are done the cases of a pair are called again, A, B, A,
and a module whose learned numbers were filled is filled with others and called with A once more.

Code that hands out one buffer again and again is right at every call, and wrong for those who still
hold an earlier result. So the result of B is looked at again after the second call of A. It is sent
only if it has changed by then: sending all cost 3 % of a verdict.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from quizzes.grader.protocol.case import Argument, Case


@dataclass(frozen=True)
class Pair:
    """Two cases by their places, and the argument that they differ in."""

    argument: str
    first: int
    second: int


@dataclass(frozen=True)
class PairedCall:
    """One call of a pair: the place of its case, and that of the call before it in the pair.

    `refilled`: after the learned numbers of the module were filled again. `looks_back`: the
    result of this place is looked at once more, after the case `before` was called again.
    """

    place: int
    before: int | None = None
    refilled: bool = False
    looks_back: bool = False


def pairs_of(cases: Sequence[Case]) -> tuple[Pair, ...]:
    """Return the pairs among the cases: two marked ones that fit each other, and none else does.

    A case may miss its other half here: a Check has the shown cases alone.
    """
    fitting = _fitting(cases)
    return tuple(
        Pair(cases[first].pair or "", first, others[0])
        for first, others in fitting.items()
        if len(others) == 1 and first < others[0] and fitting[others[0]] == [first]
    )


def unpaired(cases: Sequence[Case]) -> list[Case]:
    """Return the marked cases that have no other half, or more than one."""
    return [cases[place] for place, others in _fitting(cases).items() if len(others) != 1]


def _fitting(cases: Sequence[Case]) -> dict[int, list[int]]:
    """Return by the place of each marked case the places of all that differ from it as it says."""
    marked = [place for place, case in enumerate(cases) if case.pair is not None]
    return {
        place: [at for at in marked if at != place and differ_in(cases[place], cases[at])]
        for place in marked
    }


def calls_of(pairs: Sequence[Pair], cases: Sequence[Case]) -> tuple[PairedCall, ...]:
    """Return the calls of these pairs, in the order in which they are made."""
    calls: list[PairedCall] = []
    for pair in pairs:
        first, second = pair.first, pair.second
        calls += [PairedCall(first), PairedCall(second, first)]
        calls += [PairedCall(first, second), PairedCall(second, first, looks_back=True)]
        if cases[first].refills:
            calls.append(PairedCall(first, first, refilled=True))
    return tuple(calls)


def differ_in(case: Case, other: Case) -> bool:
    """Say whether two cases marked for one argument differ in its value and in nothing else.

    Not in types, shapes and dtypes either: code may well keep what it made for another dtype.
    """
    if (case.pair, case.probe, case.fill) != (other.pair, other.probe, other.fill):
        return False
    ours, theirs = _named(case), _named(other)
    if ours.keys() != theirs.keys() or not all(_alike(ours[key], theirs[key]) for key in ours):
        return False
    return {key[1] for key in ours if not _equal(ours[key], theirs[key])} == {case.pair}


def _named(case: Case) -> dict[tuple[str, str], Argument]:
    """Return the arguments by group and name: a constructor may have one of the call's names."""
    groups = {"init": case.init or {}, "call": case.kwargs}
    return {(group, name): groups[group][name] for group in groups for name in groups[group]}


def _alike(value: Argument, other: Argument) -> bool:
    if isinstance(value, np.ndarray) and isinstance(other, np.ndarray):
        return bool(value.dtype == other.dtype) and value.shape == other.shape
    return type(value) is type(other)


def _equal(value: Argument, other: Argument) -> bool:
    if isinstance(value, np.ndarray):
        return bool(np.array_equal(value, other))
    return bool(value == other)
