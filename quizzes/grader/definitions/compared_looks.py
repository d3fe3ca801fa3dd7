"""Whether what a probe looks at is compared with numbers of the reference, in new exercises.

A module that learns, and is not filled, has other numbers each time it is made: nothing that it
gives can be compared then. And dropout that is looked at with one public rate shows nothing of code
that has this rate written into it, nor does dropout of a few numbers: all is chance there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from quizzes.grader.definitions.definition import CASES, REFERENCE
from quizzes.grader.definitions.verification_report import Warned
from quizzes.grader.judge.case_pack import CasePack
from quizzes.grader.protocol.case import (
    DROPOUT,
    TRAINING_CALLS,
    Case,
    comparable_looks,
    dropout_rate,
)
from quizzes.grader.protocol.drop_count import fewest_counted
from quizzes.grader.protocol.observation import FACT, LOOK, results_of, value_of

_DROPPED = f"{FACT}dropout_share"


def look_problems(packs: Sequence[CasePack]) -> Iterator[str]:
    """Yield a problem of each look that is not compared, and of dropout at known rates alone.

    `packs`: some drawings of one exercise.
    """
    yield from _uncompared(packs[0])
    yield from dict.fromkeys(words for pack in packs for words in _too_few(pack))
    if packs[0].entry.speed_at_most is not None:
        for case in _untimed(packs[0]):
            words = (
                "time counts, but the result is not compared; expected a result with fewer numbers"
            )
            yield f"{CASES}: {case.label!r}: {words}"
    dropping = [case for case in packs[0].cases if _has_rate(case)]
    if dropping and not any(_is_drawn(case, packs[1:]) for case in dropping):
        words = f"{dropping[0].label!r}: dropout is checked only at known rates"
        yield f"{CASES}: {words}; draw the rate of a hidden case, from 0.1 to 0.4"


def _uncompared(pack: CasePack) -> Iterator[str]:
    for case, expected in zip(pack.cases, pack.expected, strict=True):
        if not comparable_looks(case) or expected.failure is not None:
            continue
        if not any(key.startswith(LOOK) for key in expected.leaves):
            words = "gives different numbers each time it is created, so none are compared"
            yield f"{CASES}: {case.label!r}: the module {words}; give the case fill=True"
        if value_of(expected, _DROPPED) not in (None, 1):
            words = "does not drop the share of numbers that it was created with"
            yield f"{REFERENCE}: {case.label!r}: the module {words}"


def _too_few(pack: CasePack) -> Iterator[str]:
    """Yield a problem of each dropout that chance may always explain."""
    for case, expected in zip(pack.cases, pack.expected, strict=True):
        plain = expected.leaves.get(f"{LOOK}{len(TRAINING_CALLS)}")
        if case.probe != "call_twice_train" or plain is None or plain.values is None:
            continue
        count, rate = int(np.count_nonzero(plain.values)), dropout_rate(case)
        fewest = fewest_counted(rate)
        if count < fewest:
            words = f"dropout at rate {rate:g} is checked on {count} numbers that are not 0"
            yield f"{CASES}: {case.label!r}: {words}, expected at least {fewest}"


def untimed_warnings(pack: CasePack) -> Iterator[Warned]:
    """Yield a warning of each timed case that says nothing of speed."""
    for case in _untimed(pack):
        what = f"The result of “{case.label}” cannot be compared, so its speed is not checked"
        learns = case.init is not None and not case.fill
        hint = "set fill=True for a module that learns" if learns else "time a smaller input"
        yield Warned("speed", f"{what}: {hint}.")


def _untimed(pack: CasePack) -> Iterator[Case]:
    """Yield the timed cases whose result is not compared."""
    for case, expected in zip(pack.cases, pack.expected, strict=True):
        if case.probe == "time" and not results_of(expected):
            yield case


def _has_rate(case: Case) -> bool:
    return case.probe == "call_twice_train" and DROPOUT in (case.init or {})


def _is_drawn(case: Case, others: Sequence[CasePack]) -> bool:
    """Say whether a hidden case has another rate in another drawing."""
    if case.shown or case.spare:
        return False
    return any(
        other.label == case.label and (other.init or {}).get(DROPOUT) != (case.init or {})[DROPOUT]
        for pack in others
        for other in pack.cases
    )
