"""The fingerprint of wrong results that have no name: equal for code that makes the same mistake.

It is made from the fingerprint cases alone, which are the same for every submission to a version,
so that the wrong code of a whole class falls into groups. An instructor then names a group.

To compare two results, the judge allows each number its error. A digest has no tolerance, and
rounding each number separates equal results too: among a thousand numbers, one lies where rounding
turns. So of each array only two weighted sums are taken, rounded much more coarsely than the
tolerance: float64 and float32 results differ there in fewer than one of four hundred arrays. The
weights are irrational, so that whole numbers do not lie where rounding turns.

The numbers are a stranger's: any float64, and as many as a frame holds. So the time and the memory
are those of one pass over no more numbers than the reference gives, and no verdict waits for a
fingerprint that cannot be computed.

A fingerprint begins with a digest of the cases that it was made from: fingerprints of other cases
can never be equal, whatever the code does, and nobody should compare them.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from hashlib import sha256

import numpy as np
import numpy.typing as npt

from quizzes.grader.judge.case_pack import CasePack, digest_of_call
from quizzes.grader.judge.comparison import NO_RESULT, Tolerance, as_floats
from quizzes.grader.judge.diagnosis import expected_results, unnamed_results
from quizzes.grader.protocol.observation import FACT, Leaf, Observation

LENGTH = 32  # hexadecimal digits
OF_CASES = 8  # the first of them
COARSENESS = 16  # times the tolerance
LEAST_STEP = 1e-5  # of the largest number: float32 code is off by a hundredth of this
SMALLEST = 1e-20  # of the largest number: below, logarithms do not count
LARGEST_EXPONENT = 1000  # of a scale: 2**1024 is no float64
_ROOTS = ((1 + 5**0.5) / 2, 1 + 2**0.5)

logger = logging.getLogger(__name__)


def fingerprint(pack: CasePack, got: Sequence[Observation | None]) -> str:
    """Return the fingerprint of a submission's results, "" where there is nothing to name.

    `got`: its observations of `pack.cases`, None for those not reached. There is nothing to name
    where a fingerprint case was not reached, where all of them are right, where fewer than two
    returned a value, and where a known mistake gives the same results. It never raises: a failure
    here must not keep a submission from its verdict.
    """
    try:
        results = unnamed_results(pack, got)
        return "" if results is None else digest_of_results(pack, results)
    except Exception:
        logger.exception("fingerprint %s", pack.entry.name)
        return ""


def variant_fingerprints(pack: CasePack) -> dict[str, str]:
    """Return the fingerprint of each known mistake by its slug: that of code which makes it."""
    return {
        variant.mistake.slug: digest_of_results(pack, variant.observations)
        for variant in pack.fingerprints.variants
    }


def digest_of_results(pack: CasePack, results: Sequence[Observation]) -> str:
    """Digest what the fingerprint cases gave: names, shapes, coarse sums; dtypes do not count.

    Before it stands the digest of these cases.

    Raising is one outcome, whatever the exception is.
    """
    digest = sha256()
    cases = [case for case in pack.cases if case.identify]
    for case, result, expected in zip(cases, results, expected_results(pack), strict=True):
        digest.update(f"\n{digest_of_call(case)}".encode())
        if result.failure is not None:
            digest.update(b" raised")
            continue
        for key in sorted(result.leaves):
            if not key.startswith(NO_RESULT):
                right = expected.leaves.get(key)
                digest.update(f" {key} ".encode())
                digest.update(content_of(key, result.leaves[key], right, pack.entry.tolerance))
    return digest_of_cases(pack) + digest.hexdigest()[: LENGTH - OF_CASES]


def digest_of_cases(pack: CasePack) -> str:
    """Digest what every fingerprint of a version depends on: its cases, tolerance and shapes."""
    digest = sha256(f"{pack.entry.tolerance}".encode())
    cases = [case for case in pack.cases if case.identify]
    for case, expected in zip(cases, expected_results(pack), strict=True):
        digest.update(f"\n{digest_of_call(case)}".encode())
        for key, leaf in sorted(expected.leaves.items()):
            if not key.startswith(NO_RESULT) and leaf.values is not None:
                digest.update(f" {key} {leaf.values.shape}".encode())
    return digest.hexdigest()[:OF_CASES]


def content_of(key: str, leaf: Leaf, expected: Leaf | None, tolerance: Tolerance) -> bytes:
    """Return what counts of one array, or of what is no array.

    Of more numbers than the reference gives, only the shape counts.
    """
    if leaf.values is None:
        return leaf.kind.encode()
    shape = f"{leaf.values.shape}".encode()
    if expected is None or expected.values is None or leaf.values.size > expected.values.size:
        return shape
    values = as_floats(leaf.values)
    if key.startswith(FACT):
        return shape + (values + 0.0).tobytes()
    parts = np.concatenate([values.real.ravel(), values.imag.ravel()]).astype(np.float64)
    finite = np.isfinite(parts)
    others = parts[~finite]
    kinds = np.where(np.isnan(others), 0, np.sign(np.nan_to_num(others))).astype(np.int8)
    sums = _coarse_sums(np.where(finite, parts, 0.0), tolerance)
    return shape + np.packbits(finite).tobytes() + kinds.tobytes() + f"{sums}".encode()


def _coarse_sums(numbers: npt.NDArray[np.float64], tolerance: Tolerance) -> list[float]:
    """Return the size of numbers, as a power of two, and two weighted sums in coarse steps.

    Where a number's error may be a share of the number itself, small numbers count as much as large
    ones: then the sums are of logarithms. All is in units of the size: then no step is 0, however
    small the numbers are, and no sum is infinite.
    """
    largest = float(np.abs(numbers).max(initial=0.0))
    if not largest:
        return []
    # A power of two, so that the step is the same for results that differ by rounding.
    size = float(np.floor(np.log2(largest) + 0.45))
    scale = 2.0 ** min(size, LARGEST_EXPONENT)
    with np.errstate(all="ignore"):
        numbers = numbers / scale
        absolute = float(np.float64(tolerance.atol) / scale) + tolerance.relative_to_max
        if tolerance.rtol > absolute:
            numbers = np.sign(numbers) * np.log1p(np.abs(numbers) / max(absolute, SMALLEST))
            step = max(COARSENESS * tolerance.rtol, LEAST_STEP)
        else:
            step = max(COARSENESS * absolute, LEAST_STEP)
        step *= numbers.size**0.5
        places = np.arange(1, numbers.size + 1, dtype=np.float64) ** 2
        sums = [float(np.sum((places * root % 1.0 - 0.5) * numbers)) for root in _ROOTS]
        return [size, *(float(np.floor(total / step + 0.5)) + 0.0 for total in sums)]
