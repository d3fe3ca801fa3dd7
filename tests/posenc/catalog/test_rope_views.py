"""What the pictures of RoPE say, and that it is what they show."""

import numpy as np
import pytest
from posenc.catalog.rope import Rope, rope
from posenc.errors import ParameterError

SCORES, TURNS = rope.views["scores"], rope.views["turns"]


@pytest.mark.parametrize(
    ("head_dim", "pairs", "said"),
    [
        (128, (0, 8, 16, 32), "4 of 64 pairs"),
        (64, (0, 4, 8, 16), "4 of 32 pairs"),
        (10, (0, 1, 2), "3 of 5 pairs"),
        (8, (0, 1, 2, 3), "4 of 4 pairs"),
        (2, (0,), "1 of 1 pair,"),
    ],
)
def test_the_circles_are_as_many_as_the_words_say(head_dim, pairs, said):
    data = TURNS.compute(Rope(head_dim=head_dim), positions=5)
    assert data.row_names == tuple(map(str, pairs))
    assert said in data.subtitle
    inv_freq = Rope(head_dim=head_dim).inv_freq
    np.testing.assert_array_equal(data.values, np.outer(inv_freq[list(pairs)], np.arange(5)))
    assert data.finding.startswith("Pair 0 turns by 57.3° from one position to the next")
    assert (f", pair {pairs[-1]} by " in data.finding) == (len(pairs) > 1)


@pytest.mark.parametrize("rotary_share", [0, 0.01])
def test_without_a_pair_that_turns_there_is_nothing_to_draw(rotary_share):
    with pytest.raises(ParameterError, match=r"^rotary_share=.*at least one pair of head_dim=64"):
        TURNS.compute(Rope(rotary_share=rotary_share), positions=5)


def test_every_way_to_scale_has_its_name_beside_plain_rope():
    divisors = {"longrope_short": (1.0,) * 4, "longrope_long": (8.0,) * 4}
    for way, encoding in {
        "linear": Rope(head_dim=8, scaling="linear", factor=4),
        "dynamic-ntk": Rope(head_dim=8, scaling="dynamic-ntk", factor=4),
        "LongRoPE": Rope(head_dim=8, trained_length=16, factor=4, **divisors),
    }.items():
        data = SCORES.compute(encoding, distances=32)
        assert data.series == (f"scaled ({way})", "RoPE")
        plain = SCORES.compute(Rope(head_dim=8), distances=32)
        assert plain.series == ("RoPE",)
        np.testing.assert_array_equal(data.values[1], plain.values[0])


@pytest.mark.parametrize(
    ("encoding", "said"),
    [
        (Rope(rotary_share=0), "RoPE: 1.00 at distance 20, as at every other."),
        (Rope(head_dim=2, base=10), "RoPE: 0.41 at distance 20; it first rises at distance 4."),
        (
            Rope(head_dim=2, scaling="linear", factor=10),
            "scaled (linear): −0.42 at distance 20, falling all the way. "
            "RoPE: 0.41 at distance 20; it first rises at distance 4.",
        ),
    ],
)
def test_the_finding_says_where_scores_end_and_whether_they_rise(encoding, said):
    assert SCORES.compute(encoding, distances=20).finding == said
