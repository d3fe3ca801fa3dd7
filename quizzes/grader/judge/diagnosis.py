"""Naming a known mistake: the submission gives what exactly one variant gives. Else, a hint."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from quizzes.grader.judge.case_pack import CasePack
from quizzes.grader.judge.comparison import ROUNDING, as_floats, cell_errors, same_observation
from quizzes.grader.judge.messages import ANOTHER_LAYOUT, IMPRECISE, MIXED_LAYOUTS
from quizzes.grader.judge.mistake_pairs import name_several
from quizzes.grader.judge.report import KnownMistake
from quizzes.grader.protocol.case import arguments
from quizzes.grader.protocol.observation import FACT, Observation, measured_by, results_of, value_of

OFFSET_ONLY = "offset_only"
LEAST_WIDTH = 4  # two pairs: of one, all layouts are the same
NEEDED = 2  # fingerprint cases that returned values; raising alone proves nothing


def name_mistake(pack: CasePack, got: Sequence[Observation | None]) -> KnownMistake | None:
    """Return the mistake of the only variant that agrees on every fingerprint case, else None.

    `got` holds the submission's observations of `pack.cases`, None for those not reached.
    """
    seen = _told_by(pack, got)
    matches = _matches(pack, seen) if seen else []
    return matches[0] if len(matches) == 1 else None


def name_least(pack: CasePack, got: Sequence[Observation | None]) -> tuple[KnownMistake, ...]:
    """Return two mistakes that are made at once, or one that is made whatever else is wrong.

    For code that agrees with no variant on every fingerprint case; a convention comes last.
    """
    seen = unnamed_results(pack, got)
    return () if seen is None else name_several(pack, seen, expected_results(pack))


def unnamed_results(
    pack: CasePack, got: Sequence[Observation | None]
) -> Sequence[Observation] | None:
    """Return wrong results of the fingerprint cases that no variant gives; None for others."""
    seen = _told_by(pack, got)
    return None if seen is None or _matches(pack, seen) else seen


def _told_by(pack: CasePack, got: Sequence[Observation | None]) -> list[Observation] | None:
    """Return the results of the fingerprint cases; None where they name nothing."""
    seen = [got[place] for place, case in enumerate(pack.cases) if case.identify]
    complete = [observation for observation in seen if observation is not None]
    if len(complete) < len(seen) or sum(map(_returned, complete)) < NEEDED:
        return None
    return None if _agree(complete, expected_results(pack), pack) else complete


def expected_results(pack: CasePack) -> list[Observation]:
    """Return what the reference gives on the fingerprint cases."""
    cases = zip(pack.cases, pack.expected, strict=True)
    return [expected for case, expected in cases if case.identify]


def _matches(pack: CasePack, seen: Sequence[Observation]) -> list[KnownMistake]:
    return [
        variant.mistake
        for variant in pack.fingerprints.variants
        if _agree(seen, variant.observations, pack)
    ]


def twin_of(slug: str, pack: CasePack) -> str | None:
    """Return the first other variant that this one cannot be told apart from, for their author."""
    given = {variant.mistake.slug: variant.observations for variant in pack.fingerprints.variants}
    for other, observations in given.items():
        if other != slug and _agree(given[slug], observations, pack):
            return other
    return None


def layout_note(pack: CasePack, got: Sequence[Observation | None]) -> str:
    """Return a hint about the layout from wrong numbers, "" where they give none.

    Wrong numbers with the right scores are another convention; others may be a mixture. Not where
    some rows are right: another convention has none, so something else is wrong.
    """
    for expected, seen in zip(pack.expected, got, strict=True):
        facts = [key for key in expected.leaves if key.startswith(FACT)]
        if f"{FACT}{OFFSET_ONLY}" in facts and seen is not None:
            kept = {key: value_of(seen, key) == value_of(expected, key) for key in facts}
            if all(kept.values()):
                return "" if any(right for right, _ in _rows(pack, got)) else ANOTHER_LAYOUT
            spread = measured_by(seen, OFFSET_ONLY)
            if kept[f"{FACT}{OFFSET_ONLY}"] or spread is None:
                return ""
            if spread > ROUNDING:
                return MIXED_LAYOUTS
            return IMPRECISE if all(error < ROUNDING for _, error in _rows(pack, got)) else ""
    return ""


def _rows(pack: CasePack, got: Sequence[Observation | None]) -> Iterator[tuple[bool, float]]:
    """Yield for each result with turned rows (..., L, D): whether one is right, the largest error.

    Rows that stay as they were given, as at position 0, are right in every layout.
    """
    for case, expected, seen in zip(pack.cases, pack.expected, got, strict=True):
        for key, leaf in results_of(expected).items():
            values = seen.leaves[key].values if seen and key in seen.leaves else None
            wanted = leaf.values
            if wanted is None or values is None or values.shape != wanted.shape:
                continue
            if not case.graded or wanted.ndim < 2 or wanted.shape[-1] < LEAST_WIDTH:
                continue
            error = cell_errors(as_floats(wanted), as_floats(values))
            right = (error <= pack.entry.tolerance.allowed_error(wanted)).all(axis=-1)
            for _, given in arguments(case):
                if isinstance(given, np.ndarray) and given.shape == wanted.shape:
                    right &= ~np.isclose(wanted, given, atol=ROUNDING).all(axis=-1)
            largest = np.max(np.abs(as_floats(wanted)), initial=0.0)
            yield bool(right.any()), float(np.max(error, initial=0.0) / max(largest, 1e-12))


def _returned(observation: Observation) -> bool:
    """Say whether code gave numbers of its own; what it registers does not show how it acts."""
    return any(
        leaf.values is not None and not key.startswith("fact.")
        for key, leaf in observation.leaves.items()
    )


def _agree(got: Sequence[Observation], expected: Sequence[Observation], pack: CasePack) -> bool:
    tolerance = pack.entry.tolerance
    return all(
        same_observation(observation, other, tolerance)
        for observation, other in zip(got, expected, strict=True)
    )
