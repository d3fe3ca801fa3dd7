"""Pairs of an expected and a submitted result, and whether agreement between two arrays says much.

A table of zeros, a single number or a symmetric matrix is its own double, negative or transpose: it
agrees with a relation and shows nothing. So an array counts only if it holds several distinct
numbers, and if the relation changes them by more than the tolerance.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from quizzes.grader.judge.case_pack import CasePack
from quizzes.grader.judge.comparison import Floats, Tolerance, agree, as_floats
from quizzes.grader.protocol.case import Case, arguments
from quizzes.grader.protocol.observation import Observation, results_of

LEAST_DISTINCT = 3  # numbers of an array that says something
LEAST_SAMPLES = 2  # that say something
LARGEST = 1 << 17  # numbers of a result that is looked at
CLEARLY = 4  # times the tolerance, for numbers that differ


@dataclass(frozen=True, eq=False)
class Sample:
    """One result of a case: expected, submitted, and the arguments that are arrays.

    `shown`: the learner sees the case, so its numbers may be named.
    """

    expected: Floats
    got: Floats
    shown: bool
    arguments: Mapping[str, Floats]
    tolerance: Tolerance

    def agrees(self, predicted: Floats, got: Floats) -> bool:
        """Say whether two arrays are equal within the tolerance; shapes count."""
        return predicted.shape == got.shape and agree(predicted, got, self.tolerance)

    def tells(self, predicted: Floats, right: Floats) -> bool:
        """Say whether agreement with `predicted` says something, where `right` is expected."""
        if self.count_distinct(predicted) < LEAST_DISTINCT:
            return False
        return predicted.shape != right.shape or self.differs(predicted, right)

    def differs(self, array: Floats, other: Floats) -> bool:
        """Say whether arrays of one shape differ clearly."""
        return not agree(other, array, self.clear)

    @property
    def clear(self) -> Tolerance:
        """Several times the tolerance."""
        wide = self.tolerance
        return replace(
            wide,
            rtol=CLEARLY * wide.rtol,
            atol=CLEARLY * wide.atol,
            relative_to_max=CLEARLY * wide.relative_to_max,
        )

    def count_distinct(self, array: Floats) -> int:
        """Count the finite numbers that are more than the tolerance apart."""
        finite = np.sort(array[np.isfinite(array)])
        if finite.size == 0:
            return 0
        allowed = float(self.clear.allowed_error(finite).max())
        return 1 + int(np.count_nonzero(np.diff(finite) > allowed))


def read_samples(
    pack: CasePack, got: Sequence[Observation | None], places: Sequence[int]
) -> list[Sample] | None:
    """Return the results of the cases at `places`; None where one cannot be compared, or is large.

    Right and wrong results are among them: what is said must be true of all.
    """
    samples: list[Sample] = []
    for place in places:
        if not pack.compares_values(place):
            continue
        case, expected, seen = pack.cases[place], pack.expected[place], got[place]
        if seen is None or seen.failure is not None:
            return None
        leaves, right = results_of(seen), results_of(expected)
        if leaves.keys() != right.keys():
            return None
        for key, leaf in right.items():
            values, submitted = leaf.values, leaves[key].values
            if (
                values is None
                or submitted is None
                or "c" in values.dtype.kind + submitted.dtype.kind
            ):
                return None
            if max(values.size, submitted.size) > LARGEST:
                return None
            arrays = dict(_arrays(case))
            sides = as_floats(values), as_floats(submitted)
            samples.append(Sample(*sides, case.shown, arrays, pack.entry.tolerance))
    return sorted(samples, key=lambda sample: (not sample.shown, sample.expected.size))


def _arrays(case: Case) -> Iterator[tuple[str, Floats]]:
    for name, value in arguments(case):
        if isinstance(value, np.ndarray) and value.dtype.kind in "fiu":
            yield name, as_floats(value)
