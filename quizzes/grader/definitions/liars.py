"""Programs that compute nothing and answer as well as they can: none may be graded correct.

A liar says of itself exactly what the reference shows (how many numbers are trained, that it
raises), and knows every result that could be known: of cases that are shown, or the same in every
pack. Of a hidden drawn case it returns an array of the right shape and dtype that needs no
knowledge of the exercise: zeros, ones, an argument as it came, what a shown case or another
drawing expects. An exercise that one of them passes would be passed by a table of old answers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from quizzes.grader.judge.case_pack import CasePack
from quizzes.grader.protocol.case import Case, arguments
from quizzes.grader.protocol.observation import Leaf, Observation, Observed, results_of
from quizzes.grader.protocol.wire import Array

Answer = Callable[[Case, str, Array], Array]


def lies_about(pack: CasePack, others: Sequence[CasePack]) -> Iterator[tuple[str, Observed]]:
    """Yield each liar's answer in words ("zeros"), and its observations of the pack's cases.

    `others`: packs of other drawings, whose answers a liar may have seen.
    """
    for words, answer in _answers(pack, others):
        observations = tuple(
            _lie(pack, place, answer) if pack.is_evidence(place) else expected
            for place, expected in enumerate(pack.expected)
        )
        yield words, Observed(observations, loaded=True)


def _answers(pack: CasePack, others: Sequence[CasePack]) -> Iterator[tuple[str, Answer]]:
    yield "zeros", lambda _case, _key, expected: np.zeros_like(expected)
    yield "ones", lambda _case, _key, expected: np.ones_like(expected)
    names = dict.fromkeys(name for case in pack.cases for name, _ in arguments(case))
    for name in names:
        yield f"the argument {name} unchanged", _argument(name)
    for place, case in enumerate(pack.cases):
        if case.shown and pack.compares_values(place):
            yield f"what the case {case.label!r} expects", _replay(pack.expected[place])
    for other in others:
        for place, case in enumerate(other.cases):
            if other.is_evidence(place):
                words = f"what {case.label!r} expected in another drawing"
                yield words, _replay(other.expected[place])


def _argument(name: str) -> Answer:
    def answer(case: Case, _key: str, expected: Array) -> Array:
        value = dict(arguments(case)).get(name)
        numeric = isinstance(value, np.ndarray | bool | int | float)
        return _shaped(np.asarray(value if numeric else 0), expected)

    return answer


def _replay(shown: Observation) -> Answer:
    results = {key: leaf.values for key, leaf in results_of(shown).items()}

    def answer(_case: Case, key: str, expected: Array) -> Array:
        values = results.get(key)
        return np.zeros_like(expected) if values is None else _shaped(values, expected)

    return answer


def _shaped(values: Array, expected: Array) -> Array:
    """Repeat or cut values to a shape; what a dtype cannot hold does not matter."""
    with np.errstate(all="ignore"):
        return np.resize(values, expected.shape).astype(expected.dtype)


def _lie(pack: CasePack, place: int, answer: Answer) -> Observation:
    def lie(key: str, leaf: Leaf) -> Leaf:
        if leaf.values is None or not (key == "out" or key.startswith("out.")):
            return leaf
        return replace(leaf, values=answer(pack.cases[place], key, leaf.values))

    return Observation({key: lie(key, leaf) for key, leaf in pack.expected[place].leaves.items()})
