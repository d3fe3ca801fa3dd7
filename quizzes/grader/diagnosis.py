"""Naming a known mistake: the submission gives what exactly one variant gives. Else, a hint."""

from __future__ import annotations

from collections.abc import Sequence

from quizzes.grader.case_pack import CasePack
from quizzes.grader.comparison import same_observation
from quizzes.grader.facts import FACT, value_of
from quizzes.grader.observation import Observation
from quizzes.grader.report import KnownMistake

ANOTHER_LAYOUT = (
    " The scores still depend on the distance alone, so this is a whole rotation: in another "
    "layout (pairing, order or direction), or by other angles than are asked for."
)
MIXED = (
    " The scores do not depend on the distance alone, so this is no convention: often two of "
    "them are mixed, or angles and pairs do not belong together."
)
NEEDED = 2  # identify cases that returned values; raising alone proves nothing


def name_mistake(pack: CasePack, got: Sequence[Observation | None]) -> KnownMistake | None:
    """The mistake of the only variant that agrees on every identify case, else None.

    `got` holds the submission's observations of `pack.cases`, None for those not reached.
    """
    places = [place for place, case in enumerate(pack.cases) if case.identify]
    seen = [got[place] for place in places]
    complete = [observation for observation in seen if observation is not None]
    if len(complete) < len(seen):
        return None
    if sum(map(_returned, complete)) < NEEDED:
        return None
    if _agree(complete, [pack.expected[place] for place in places], pack):
        return None
    matches = [
        variant.mistake
        for variant in pack.identify.variants
        if _agree(complete, variant.observations, pack)
    ]
    return matches[0] if len(matches) == 1 else None


def layout_note(pack: CasePack, got: Sequence[Observation | None]) -> str:
    """Wrong numbers with the right scores are another convention; others may be a mixture."""
    for expected, seen in zip(pack.expected, got, strict=True):
        facts = [key for key in expected.leaves if key.startswith(FACT)]
        if f"{FACT}offset_only" in facts and seen is not None:
            kept = {key: value_of(seen, key) == value_of(expected, key) for key in facts}
            if all(kept.values()):
                return ANOTHER_LAYOUT
            return "" if kept[f"{FACT}offset_only"] else MIXED
    return ""


def _returned(observation: Observation) -> bool:
    """Whether there are numbers of the code's own; what it registers does not show how it acts."""
    return any(
        leaf.values is not None and not key.startswith("fact.")
        for key, leaf in observation.leaves.items()
    )


def _agree(got: Sequence[Observation], wanted: Sequence[Observation], pack: CasePack) -> bool:
    tolerance = pack.entry.tolerance
    return all(
        same_observation(one, other, tolerance) for one, other in zip(got, wanted, strict=True)
    )
