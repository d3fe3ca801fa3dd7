"""What the pictures of RoPE say, and that it is what they show."""

import numpy as np
import pytest
from posenc.catalog.rope import Rope, rope
from posenc.errors import ParameterError

SCORES, TURNS, ARCS = (rope.views[name] for name in ("scores", "turns", "arcs"))


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


@pytest.mark.parametrize(
    ("scaling", "new"), [("none", 23), ("linear", 0), ("ntk", 22), ("yarn", 0), ("llama3", 0)]
)
def test_the_arcs_count_the_pairs_that_meet_new_angles(scaling, new):
    stretched = Rope(head_dim=128, scaling=scaling, factor=4, trained_length=2048)
    data = ARCS.compute(stretched, length=8192)
    frequencies = 10_000.0 ** (-np.arange(0, 128, 2) / 128)
    trained = np.minimum(2048 * frequencies / (2 * np.pi), 1)
    np.testing.assert_allclose(data.values[1], trained, rtol=1e-12)
    np.testing.assert_allclose(
        data.values[0], np.minimum(8191 * stretched.inv_freq / (2 * np.pi), 1), rtol=1e-12
    )
    assert np.sum(data.values[0] > data.values[1]) == new
    assert data.summary == {"whole": 41, "new": new}
    assert data.finding == (
        "In 2\u202f048 tokens 41 of 64 pairs turn all the way round;"
        f" in 8\u202f192 tokens {new} of the others meet new angles."
    )


def test_dynamic_ntk_takes_the_arcs_of_the_length_of_the_text():
    for length, base in [(2048, 1.0), (4096, 2.0), (8192, 4.0)]:
        dynamic = Rope(head_dim=128, scaling="dynamic-ntk", trained_length=2048)
        fixed = Rope(head_dim=128, scaling="ntk", factor=base, trained_length=2048)
        np.testing.assert_allclose(
            ARCS.compute(dynamic, length=length).values, ARCS.compute(fixed, length=length).values
        )


def test_the_bars_of_the_arcs_lie_side_by_side():
    for head_dim in (2, 8):
        data = ARCS.compute(Rope(head_dim=head_dim), length=100)
        low, high = data.between.x[0::2], data.between.x[1::2]
        np.testing.assert_array_equal(high - low, np.ones(head_dim // 2))
        np.testing.assert_array_equal(low[1:], high[:-1])
        assert (low[0], high[-1]) == data.x.limits


def test_without_a_pair_that_turns_there_are_no_arcs():
    with pytest.raises(ParameterError, match=r"^rotary_share=.*at least one pair of head_dim=64"):
        ARCS.compute(Rope(rotary_share=0), length=5)
