"""Whether a call that was timed gave the right result: nothing else is worth its seconds.

The child sends the result of the very call whose seconds it sends. It is compared here with the
reference's, as the result of any case is. A whole one would make a pack twice as large, so a pack
holds the reference's numbers at some places that are drawn for it. Nobody in the sandbox knows
them: code that leaves out one number in a hundred is found with a probability of 0.994.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from quizzes.grader.judge.case_pack import SAME_DTYPE, CasePack
from quizzes.grader.judge.comparison import Tolerance, as_floats
from quizzes.grader.judge.formatting import call_text
from quizzes.grader.judge.stages import Finding, check_case
from quizzes.grader.protocol.observation import Leaf, Observation, results_of
from quizzes.grader.protocol.wire import MAX_ARRAY_BYTES, MAX_RESULT_BYTES, Array

SAMPLED = 512  # numbers of each part of a result
# Of the largest number. Timed inputs are large, and right code in float32 is off by more there than
# the tolerance of an exercise allows, which is chosen for its other cases. Something else that is
# computed, or nothing, is off by far more.
LARGER_INPUT = 1e-3
PLACES, SAMPLE = "places.", "sample."


def sample_result(observation: Observation, seed: int, dtypes: Sequence[str]) -> Observation:
    """Return what the reference gave when it was timed, with its numbers at drawn places alone.

    Without a result where a right one of another accepted dtype is more than can travel: only what
    is known of the reference decides whether there is a comparison, nothing that a submission says.
    """
    results = results_of(observation)
    leaves = {key: leaf for key, leaf in observation.leaves.items() if key not in results}
    if not _travel(results.values(), dtypes):
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


def _travel(results: Iterable[Leaf], dtypes: Sequence[str]) -> bool:
    """Say whether these arrays have come, and would come in each of the accepted dtypes."""
    widest = max((np.dtype(word).itemsize for word in dtypes if word != SAME_DTYPE), default=0)
    total = 0
    for leaf in results:
        if leaf.values is None:
            return False
        size = leaf.values.size * max(leaf.values.itemsize, widest)
        total += size
        if size > MAX_ARRAY_BYTES:
            return False
    return total <= MAX_RESULT_BYTES


def is_compared(expected: Observation, got: Observation | None) -> bool:
    """Say whether both have a result of the call that was timed."""
    return got is not None and bool(results_of(expected) and results_of(got))


def check_timed_result(pack: CasePack, place: int, got: Observation) -> Finding | None:
    """Return what is wrong with the result of a call that was timed; None: nothing that is seen.

    Nearly all are right, so the known places are looked at alone before the whole is made.
    """
    expected, results = pack.expected[place], results_of(got)
    wanted = results_of(expected)
    entry = replace(pack.entry, tolerance=_widened(pack.entry.tolerance))
    call = partial(call_text, pack.entry, pack.cases[place])

    def check(complete: Callable[[Observation, str, Leaf], tuple[Leaf, Leaf]]) -> Finding | None:
        leaves = {
            key: complete(expected, key, results[key]) for key in wanted.keys() & results.keys()
        }
        ours = {key: leaves[key][0] if key in leaves else leaf for key, leaf in wanted.items()}
        theirs = {key: leaves[key][1] if key in leaves else leaf for key, leaf in results.items()}
        return check_case(Observation(ours), Observation(theirs), entry, call)

    if check(_at_known_places) is None:
        return None
    finding = check(_whole)
    return finding and replace(finding, tolerance=entry.tolerance)


def _widened(tolerance: Tolerance) -> Tolerance:
    """Return the tolerance for an input that may be larger than those it was chosen for."""
    return replace(tolerance, relative_to_max=tolerance.relative_to_max + LARGER_INPUT)


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


def _at_known_places(expected: Observation, key: str, got: Leaf) -> tuple[Leaf, Leaf]:
    """Return what is expected and what was got, with the numbers at the known places alone."""
    known, places, sample = _known(expected, key)
    if got.values is None or got.shape != known.shape:
        return known, got
    return replace(known, values=sample), replace(got, values=got.values.ravel()[places])


def _whole(expected: Observation, key: str, got: Leaf) -> tuple[Leaf, Leaf]:
    """Return the same with what was got wherever the expected number is not known.

    So places in a message are those of the whole result.
    """
    known, places, sample = _known(expected, key)
    if got.values is None or got.shape != known.shape:
        return known, got
    numbers = as_floats(got.values).astype(np.result_type(as_floats(sample), as_floats(got.values)))
    numbers.reshape(-1)[places] = as_floats(sample)
    return replace(known, values=numbers), got


def _known(expected: Observation, key: str) -> tuple[Leaf, Array, Array]:
    places, sample = (expected.leaves[start + key].values for start in (PLACES, SAMPLE))
    assert places is not None
    assert sample is not None
    return expected.leaves[key], places, sample


def _array_leaf(values: Array) -> Leaf:
    return Leaf("array", "ndarray", values.dtype.name, values.shape, values=values)
