"""Whether a call that was timed gave the right result: nothing else is worth its seconds.

The child sends the result of the very call whose seconds it sends. It is compared here with the
reference's, as the result of any case is. A whole one would make a pack twice as large, so a pack
holds the reference's numbers at some places that are drawn for it. Nobody in the sandbox knows
them: code that leaves out one number in a hundred is found with a probability of 0.994.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from quizzes.grader.judge.case_pack import CasePack
from quizzes.grader.judge.comparison import as_floats
from quizzes.grader.judge.formatting import call_text
from quizzes.grader.judge.stages import Finding, check_case
from quizzes.grader.protocol.observation import Leaf, Observation, results_of
from quizzes.grader.protocol.wire import Array

SAMPLED = 512  # numbers of each part of a result
PLACES, SAMPLE = "places.", "sample."


def sample_result(observation: Observation, seed: int) -> Observation:
    """Return what the reference gave when it was timed, with its numbers at drawn places alone.

    Without a result where it is more than can travel.
    """
    results = results_of(observation)
    leaves = {key: leaf for key, leaf in observation.leaves.items() if key not in results}
    if any(leaf.values is None for leaf in results.values()):
        return replace(observation, leaves=leaves)
    rng = np.random.default_rng(seed)
    for key, leaf in results.items():
        assert leaf.values is not None
        count = min(SAMPLED, leaf.values.size)
        places = np.sort(rng.choice(leaf.values.size, count, replace=False)).astype(np.int64)
        leaves[key] = replace(leaf, values=None)
        leaves[PLACES + key] = _array_leaf(places)
        leaves[SAMPLE + key] = _array_leaf(leaf.values.ravel()[places])
    return replace(observation, leaves=leaves)


def is_compared(expected: Observation, got: Observation | None) -> bool:
    """Say whether both have a result of the call that was timed."""
    return got is not None and bool(results_of(expected) and results_of(got))


def check_timed_result(pack: CasePack, place: int, got: Observation) -> Finding | None:
    """Return what is wrong with the result of a call that was timed; None: nothing that is seen."""
    expected, results = pack.expected[place], results_of(got)
    leaves = {
        key: _completed(expected, key, results[key]) if key in results else leaf
        for key, leaf in results_of(expected).items()
    }
    call = partial(call_text, pack.entry, pack.cases[place])
    return check_case(
        replace(expected, leaves=leaves), replace(got, leaves=results), pack.entry, call
    )


def first_wrong_result(
    pack: CasePack, got: Sequence[Observation | None]
) -> tuple[int, Finding] | None:
    """Return the place of the first timed case with a wrong result, and what is wrong with it."""
    for place, case in enumerate(pack.cases):
        seen = got[place]
        if case.probe != "time" or seen is None or not is_compared(pack.expected[place], seen):
            continue
        finding = check_timed_result(pack, place, seen)
        if finding is not None:
            return place, finding
    return None


def _completed(expected: Observation, key: str, given: Leaf) -> Leaf:
    """Return the expected leaf with what was got wherever the expected number is not known.

    So places and counts in a message are those of the whole result.
    """
    wanted = expected.leaves[key]
    places, sample = (expected.leaves[start + key].values for start in (PLACES, SAMPLE))
    assert places is not None
    assert sample is not None
    if given.values is None or given.shape != wanted.shape:
        return replace(wanted, values=np.zeros(0))  # of another shape, which is the finding
    numbers = as_floats(given.values).astype(
        np.result_type(as_floats(sample), as_floats(given.values))
    )
    numbers.reshape(-1)[places] = as_floats(sample)
    return replace(wanted, values=numbers)


def _array_leaf(values: Array) -> Leaf:
    return Leaf("array", "ndarray", values.dtype.name, values.shape, values=values)
