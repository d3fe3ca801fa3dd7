"""The fingerprint of wrong results that have no name: equal for code that makes the same mistake.

It is made from the fingerprint cases alone, which are the same for every submission to a version,
so that the wrong code of a whole class falls into groups. An instructor then names a group.

To compare two results, the judge allows each number its error. A digest has no tolerance, and
rounding each number separates equal results too: among a thousand numbers, one lies where rounding
turns. So of each array only two weighted sums are taken, rounded much more coarsely than the
tolerance: float64 and float32 results differ there in fewer than one of four hundred arrays. The
weights are irrational, so that whole numbers do not lie where rounding turns.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256

import numpy as np
import numpy.typing as npt

from quizzes.grader.judge.case_pack import CasePack, digest_of_call
from quizzes.grader.judge.comparison import NO_RESULT, Tolerance, as_floats
from quizzes.grader.judge.diagnosis import unnamed_results
from quizzes.grader.protocol.case import Case
from quizzes.grader.protocol.observation import FACT, Leaf, Observation

LENGTH = 32  # hexadecimal digits
COARSENESS = 16  # times the tolerance
LEAST_STEP = 1e-5  # of the largest number: float32 code is off by a hundredth of this
SMALLEST = 1e-20  # number whose logarithm counts
_ROOTS = ((1 + 5**0.5) / 2, 1 + 2**0.5)


def fingerprint(pack: CasePack, got: Sequence[Observation | None]) -> str:
    """Return the fingerprint of a submission's results, "" where there is nothing to name.

    `got`: its observations of `pack.cases`, None for those not reached. There is nothing to name
    where a fingerprint case was not reached, where all of them are right, where fewer than two
    returned a value, and where a known mistake gives the same results.
    """
    results = unnamed_results(pack, got)
    cases = [case for case in pack.cases if case.identify]
    return "" if results is None else digest_of_results(cases, results, pack.entry.tolerance)


def variant_fingerprints(pack: CasePack) -> dict[str, str]:
    """Return the fingerprint of each known mistake by its slug: that of code which makes it."""
    cases, tolerance = pack.fingerprints.cases, pack.entry.tolerance
    return {
        variant.mistake.slug: digest_of_results(cases, variant.observations, tolerance)
        for variant in pack.fingerprints.variants
    }


def digest_of_results(
    cases: Sequence[Case], results: Sequence[Observation], tolerance: Tolerance
) -> str:
    """Digest what these cases gave: names, shapes and coarse sums; dtypes do not count.

    Raising is one outcome, whatever the exception is.
    """
    digest = sha256()
    for case, result in zip(cases, results, strict=True):
        digest.update(f"\n{digest_of_call(case)}".encode())
        if result.failure is not None:
            digest.update(b" raised")
            continue
        for key in sorted(result.leaves):
            if not key.startswith(NO_RESULT):
                digest.update(f" {key} {_words(key, result.leaves[key], tolerance)}".encode())
    return digest.hexdigest()[:LENGTH]


def _words(key: str, leaf: Leaf, tolerance: Tolerance) -> str:
    """Describe one array, or what is no array."""
    if leaf.values is None:
        return leaf.kind
    values = as_floats(leaf.values)
    if key.startswith(FACT):
        return f"{values.shape} {values.tolist()}"
    parts = np.concatenate([values.real.ravel(), values.imag.ravel()]).astype(np.float64)
    finite = np.isfinite(parts)
    strange = [(int(place), str(parts[place])) for place in np.flatnonzero(~finite)]
    return f"{values.shape} {strange} {_coarse_sums(np.where(finite, parts, 0.0), tolerance)}"


def _coarse_sums(numbers: npt.NDArray[np.float64], tolerance: Tolerance) -> list[float]:
    """Return the size of numbers, as a power of two, and two weighted sums in coarse steps.

    Where a number's error may be a share of the number itself, small numbers count as much as large
    ones: then the sums are of logarithms.
    """
    largest = float(np.abs(numbers).max(initial=0.0))
    if not largest:
        return []
    # A power of two, so that the step is the same for results that differ by rounding.
    size = float(np.floor(np.log2(largest) + 0.45))
    scale = 2.0 ** min(size, 1000.0)
    absolute = tolerance.atol + tolerance.relative_to_max * scale
    with np.errstate(all="ignore"):
        if tolerance.rtol * scale > absolute:
            smallest = max(absolute, SMALLEST)
            numbers = np.sign(numbers) * np.log1p(np.abs(numbers) / smallest)
            step = max(COARSENESS * tolerance.rtol, LEAST_STEP)
        else:
            step = max(COARSENESS * absolute, LEAST_STEP * scale)
        step *= numbers.size**0.5
        places = np.arange(1, numbers.size + 1, dtype=np.float64) ** 2
        sums = [float(np.sum((places * root % 1.0 - 0.5) * numbers)) for root in _ROOTS]
        return [size, *(float(np.floor(total / step + 0.5)) + 0.0 for total in sums)]
