"""The numbers that modules are filled with: drawn for each pack, where nobody may know them before.

A module that adds the numbers of a public filling to its input has read no table. So the learned
numbers of hidden cases are drawn, and those of every second filling. Shown cases keep 1/7, 2/7 ...,
so that a learner sees in the result which entry was read, and can call the module so at home.
Identify cases keep them too, since they are the same in every pack.

A pack is drawn again from its seed after its data is gone, so the seeds follow from that seed, by a
way that leads from none of them to another one or back.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256

from quizzes.grader.protocol.case import Case

SEED_BYTES = 8


def with_fill_seeds(cases: Sequence[Case], seed: int) -> tuple[Case, ...]:
    """Return the cases with seeds of their fillings, for the pack of this seed.

    Both cases of a pair are filled alike, as one instance is called for both.
    """
    known = {case.pair for case in cases if case.pair and _is_known(case)}
    return tuple(
        replace(
            case,
            fill_seed=None
            if _is_known(case) or case.pair in known
            else _derive(seed, "fill", case),
            refill_seed=_derive(seed, "refill", case),
        )
        if case.refills
        else case
        for case in cases
    )


def _is_known(case: Case) -> bool:
    return case.shown or case.identify or case.spare


def derive_seed(seed: int, *purpose: str) -> int:
    """Return a number that the pack's seed decides, and that does not tell it."""
    digest = sha256("\0".join((str(seed), *purpose)).encode()).digest()
    return int.from_bytes(digest[:SEED_BYTES], "big")


def _derive(seed: int, purpose: str, case: Case) -> int:
    shared = ("pair", case.pair) if case.pair else ("case", case.label)
    return derive_seed(seed, purpose, *shared)
