"""A mistake that an exercise does not know is not called by another one's name."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from quizzes.grader.judge.case_pack import CasePack, FingerprintSet
from quizzes.grader.judge.diagnosis import name_least
from tests.shipped_exercises.folders import variants

pytestmark = [pytest.mark.sandbox, pytest.mark.slow]

PackOf = Callable[..., CasePack]
# What is said of these is true of them: they are the other mistake and one more, or two others at
# once. But for the last: without any cap, buckets are those of a cap that is too high wherever the
# distances are short.
RELATED = {
    ("apply-rope", "overwritten_input"): ["in_place", "overwritten"],
    ("apply-rope-half", "overwritten_input"): ["in_place", "overwritten"],
    ("packed-positions", "by_value"): ["mask_by_value", "positions_by_value"],
    ("partial-or-proportional", "kinds_exchanged"): [
        "partial_for_proportional",
        "proportional_for_partial",
    ],
    ("partial-or-proportional", "share_ignored"): ["all_pairs_turn"],
    ("rotary", "noop"): ["k_only", "q_only"],
    ("sinusoidal-module", "seq_first_no_check"): ["seq_first"],
    ("sinusoidal-module", "tutorial"): ["seq_first_no_check"],
    ("sinusoidal-table", "base_1000"): ["base_default_1000"],
    ("t5-bucket", "flip"): ["causal_future", "flip_halves"],
    ("t5-bucket", "flip_noclamp"): ["flip_halves"],
    ("t5-bucket", "no_cap"): ["cap_nb"],
}


@pytest.mark.covering(most=30)
@pytest.mark.parametrize(("slug", "mistake"), variants())
def test_a_variant_that_is_taken_out_gets_no_other_name(
    slug: str, mistake: str, pack_of: PackOf
) -> None:
    pack = pack_of(slug)
    known = pack.fingerprints
    (variant,) = [one for one in known.variants if one.mistake.slug == mistake]
    others = tuple(other for other in known.variants if other is not variant)
    without = FingerprintSet(known.cases, others, known.same_calls)
    given = iter(variant.observations)
    got = [next(given) if case.identify else None for case in pack.cases]
    named = name_least(replace(pack, fingerprints=without), got)
    assert [one.slug for one in named] == RELATED.get((slug, mistake), [])
