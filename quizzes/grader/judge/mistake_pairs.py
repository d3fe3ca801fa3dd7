"""Two known mistakes at once, by the parts of results on which one of them shows alone.

Two mistakes that change the same numbers give a third array, and what each gives alone says nothing
of it. So nothing is composed here. What an identify case gives is taken apart instead: whether it
raises, and of each result, fact and gradient its shape and its numbers. A part on which one variant
differs from the reference and the other does not *isolates* the first: there, code with both
mistakes gives what the first one gives alone. Code is said to make both when it does so on every
such part, gives what the reference gives wherever neither differs, and each is isolated often
enough. On parts where both differ it may give anything, so the two are named as the least.

A single variant can be certain too, whatever is wrong in other cases: where code gives all that it
gives in each case in which it differs, and these are two at least with many numbers; or it only
raises where the reference returns, as code does that fails for odd sizes, and the code raises in
just these cases. Facts and shapes are not enough for that: many mistakes break one property.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from quizzes.grader.judge.case_pack import CasePack, FingerprintSet
from quizzes.grader.judge.comparison import EXACT, NO_RESULT, Tolerance, agree, as_floats
from quizzes.grader.judge.report import KnownMistake
from quizzes.grader.protocol.observation import FACT, Leaf, Observation

LEAST_CASES = 2  # parts on which a mistake is isolated; one may be an accident
LEAST_NUMBERS = 8  # or as many numbers that differ, none of them 0 or 1, in a single part
_RAISES, _SHAPE, _NUMBERS = "raises", "shape", "numbers"

Flags = npt.NDArray[np.bool_]
_FINGERPRINT_PARTS: WeakKeyDictionary[FingerprintSet, _Variants] = WeakKeyDictionary()


@dataclass(frozen=True)
class MistakePair:
    """Two variants of an exercise. `isolated`: code that makes both can be told so."""

    first: str
    second: str
    isolated: bool


@dataclass(frozen=True)
class _Part:
    """What is compared: of which case, and which leaf; `key` is empty for whether it raises."""

    case: int
    key: str
    what: str


@dataclass(frozen=True, eq=False)
class _Variants:
    """Of each variant (row) and part (column) of a fingerprint set, against the reference.

    `differs`; `raises`: it does, where the reference returns; `hides`: so nothing is seen there.
    `cases` and `numbers`: how much a part says when code gives the same there. That an error is
    missing says nothing: there are many reasons for it.
    """

    parts: tuple[_Part, ...]
    differs: Flags
    raises: Flags
    hides: Flags
    cases: npt.NDArray[np.int64]
    numbers: npt.NDArray[np.int64]

    @property
    def raising(self) -> Flags:
        """The columns that say whether a case raises."""
        return np.array([part.what == _RAISES for part in self.parts])


def name_several(
    pack: CasePack, got: Sequence[Observation], expected: Sequence[Observation]
) -> tuple[KnownMistake, ...]:
    """Return the two mistakes that code makes, or the one that is certain; none where nothing is.

    `got` and `expected` are of the identify cases.
    """
    variants, known = _variants_of(pack, expected), pack.fingerprints.variants
    if len(known) == 0:
        return ()
    right, alike = _compare(pack, variants, got, expected)
    pairs = _matching_pairs(variants, right, alike)
    if len(pairs) == 1:
        chosen = sorted(pairs[0], key=lambda place: known[place].mistake.kind == "convention")
        return tuple(known[place].mistake for place in chosen)
    shared = set.intersection(*map(set, pairs)) if pairs else _certain(variants, alike)
    return tuple(known[place].mistake for place in shared) if len(shared) == 1 else ()


def list_pairs(pack: CasePack) -> tuple[MistakePair, ...]:
    """Return every pair of variants, and whether each of the two is isolated from the other."""
    expected = [one for case, one in zip(pack.cases, pack.expected, strict=True) if case.identify]
    variants = _variants_of(pack, expected)
    told = _is_enough(variants, variants.differs)
    slugs = [variant.mistake.slug for variant in pack.fingerprints.variants]
    return tuple(
        MistakePair(slugs[a], slugs[b], bool(told[a, b] and told[b, a]))
        for a in range(len(slugs))
        for b in range(a + 1, len(slugs))
    )


def _matching_pairs(
    variants: _Variants, right: npt.NDArray[np.int8], alike: npt.NDArray[np.int8]
) -> list[tuple[int, int]]:
    """Return the pairs that explain every part but those where both differ, by their places."""
    differs, same = variants.differs, ~variants.differs
    unexplained = _count((right == 0) & same, same)  # unlike the reference where neither differs
    unlike = _count(differs & (alike == 0), same)  # unlike the one that differs alone
    at_raise = differs & (alike == 0) & variants.raising
    neither = _count(at_raise, at_raise)  # raises, or does not, as none of the two
    told = _is_enough(variants, differs & (alike == 1))
    fits = (unexplained == 0) & (unlike == 0) & (unlike.T == 0) & (neither == 0) & told & told.T
    return [(int(a), int(b)) for a, b in zip(*np.nonzero(np.triu(fits, 1)), strict=True)]


def _certain(variants: _Variants, alike: npt.NDArray[np.int8]) -> set[int]:
    """Return the variants that code agrees with in each case where they differ, several of these.

    In other cases more may be wrong. Of one that only raises, code agrees on where it raises.
    """
    case_of = np.array([part.case for part in variants.parts])
    by_case = np.eye(case_of.max() + 1, dtype=bool)[case_of]  # (parts, cases)
    shown = variants.differs @ by_case
    kept = ~(shown & ((alike != 1) @ by_case)).any(axis=1)
    numbers = (variants.numbers * variants.differs).sum(axis=1)
    many = (numbers >= LEAST_NUMBERS) & (shown.sum(axis=1) >= LEAST_CASES)
    only_raises = ~(variants.differs & ~variants.raises).any(axis=1)
    raises_alike = ((alike == 1) | ~variants.raising).all(axis=1)
    often = variants.raises.sum(axis=1) >= LEAST_CASES
    found = (kept & many) | (only_raises & raises_alike & often)
    return {int(place) for place in np.flatnonzero(found)}


def _is_enough(variants: _Variants, seen: Flags) -> Flags:
    """Say of [a, b] whether `seen` of variant a, where b shows nothing, is enough to name a."""
    alone = ~variants.differs & ~variants.hides
    cases, numbers = (_count(seen * amount, alone) for amount in (variants.cases, variants.numbers))
    return (cases >= LEAST_CASES) | (numbers >= LEAST_NUMBERS)


def _count(rows: npt.NDArray[np.generic], columns: Flags) -> npt.NDArray[np.int64]:
    counted: npt.NDArray[np.int64] = rows.astype(np.int64) @ columns.T.astype(np.int64)
    return counted


def _compare(
    pack: CasePack,
    variants: _Variants,
    got: Sequence[Observation],
    expected: Sequence[Observation],
) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.int8]]:
    """Say of each part whether it is the reference's and each variant's: 1, 0, -1 where not seen.

    A variant is looked at only where it differs, elsewhere it gives what the reference gives.
    """
    tolerance = pack.entry.tolerance
    right = np.array(
        [_same(part, got[part.case], expected[part.case], tolerance) for part in variants.parts],
        dtype=np.int8,
    )
    alike = np.tile(right, (len(variants.differs), 1))
    for row, column in zip(*np.nonzero(variants.differs), strict=True):
        part, variant = variants.parts[column], pack.fingerprints.variants[row]
        seen = variant.observations[part.case]
        alike[row, column] = _same(part, got[part.case], seen, tolerance)
    return right, alike


def _variants_of(pack: CasePack, expected: Sequence[Observation]) -> _Variants:
    """Return the variants as arrays, made once: they are the same for every pack of a version."""
    known = _FINGERPRINT_PARTS.get(pack.fingerprints)
    if known is None:
        known = _FINGERPRINT_PARTS[pack.fingerprints] = _against_the_reference(pack, expected)
    return known


def _against_the_reference(pack: CasePack, expected: Sequence[Observation]) -> _Variants:
    parts = tuple(_parts_of(expected))
    shape = (len(pack.fingerprints.variants), len(parts))
    differs, raises, hides = (np.zeros(shape, bool) for _ in range(3))
    cases, numbers = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
    for row, variant in enumerate(pack.fingerprints.variants):
        for column, part in enumerate(parts):
            seen, wanted = variant.observations[part.case], expected[part.case]
            differs[row, column] = _same(part, seen, wanted, pack.entry.tolerance) == 0
            failed = differs[row, column] and seen.failure is not None
            raises[row, column] = part.what == _RAISES and failed
            hides[row, column] = part.what != _RAISES and seen.failure is not None
            if differs[row, column]:
                cases[row, column] = _is_a_case(part, seen, wanted)
                numbers[row, column] = _telling_numbers(part, seen, wanted, pack.entry.tolerance)
    return _Variants(parts, differs, raises, hides, cases, numbers)


def _parts_of(expected: Sequence[Observation]) -> list[_Part]:
    parts = []
    for case, observation in enumerate(expected):
        parts.append(_Part(case, "", _RAISES))
        for key in observation.leaves:
            if not key.startswith(NO_RESULT):
                parts += [_Part(case, key, _SHAPE), _Part(case, key, _NUMBERS)]
    return parts


def _same(part: _Part, observation: Observation, other: Observation, tolerance: Tolerance) -> int:
    """Say whether two observations are equal in this part: 1 or 0, and -1 where one shows none.

    Of a failure only the stage counts.
    """
    if part.what == _RAISES:
        stages = [
            None if seen.failure is None else seen.failure.stage for seen in (observation, other)
        ]
        return int(stages[0] == stages[1])
    if observation.failure is not None or other.failure is not None:
        return -1
    first, second = observation.leaves.get(part.key), other.leaves.get(part.key)
    if first is None or second is None:
        return int(first is second)
    if part.what == _SHAPE:
        return int((first.kind == "none", first.shape) == (second.kind == "none", second.shape))
    return int(_same_numbers(first, second, EXACT if part.key.startswith(FACT) else tolerance))


def _same_numbers(leaf: Leaf, other: Leaf, tolerance: Tolerance) -> bool:
    if leaf.values is None or other.values is None:
        return leaf.values is other.values and leaf.kind == other.kind
    return leaf.shape == other.shape and agree(other.values, leaf.values, tolerance)


def _is_a_case(part: _Part, seen: Observation, expected: Observation) -> bool:
    """Say whether a difference in this part counts as a case.

    Of another shape the numbers differ too, which is no second difference.
    """
    if part.what == _RAISES:
        return seen.failure is not None and expected.failure is None
    if part.what == _SHAPE:
        return True
    leaf, right = seen.leaves.get(part.key), expected.leaves.get(part.key)
    return leaf is not None and right is not None and leaf.shape == right.shape


def _telling_numbers(
    part: _Part, seen: Observation, expected: Observation, tolerance: Tolerance
) -> int:
    """Count the numbers that differ and are neither 0 nor 1, which code gives for many reasons."""
    leaf, expected_leaf = seen.leaves.get(part.key), expected.leaves.get(part.key)
    if part.what != _NUMBERS or part.key.startswith(FACT) or leaf is None or leaf.values is None:
        return 0
    values = as_floats(leaf.values)
    telling = np.isfinite(values) & (values != 0) & (values != 1)
    if (
        expected_leaf is not None
        and expected_leaf.values is not None
        and expected_leaf.shape == leaf.shape
    ):
        right = as_floats(expected_leaf.values)
        with np.errstate(all="ignore"):
            telling &= ~(np.abs(values - right) <= tolerance.allowed_error(right))
    return int(np.count_nonzero(telling))
