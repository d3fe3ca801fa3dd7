"""RoPE's scalings and LongRoPE: what each does to the frequencies, and what does not fit."""

import math

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from posenc.catalog.rope import Rope
from posenc.errors import ParameterError

pytestmark = pytest.mark.torch


def normal(*shape, seed=0):
    return np.random.default_rng(seed).normal(size=shape)


def test_linear_interpolation_is_positions_divided():
    x, positions = normal(6, 16), np.arange(6)
    stretched = Rope(head_dim=16, scaling="linear", factor=4).rotate(x, positions)
    np.testing.assert_allclose(
        stretched, Rope(head_dim=16).rotate(x, positions / 4), rtol=0, atol=1e-15
    )


@given(st.floats(1.5, 32), st.integers(2, 32).map(lambda pairs: 2 * pairs))
def test_ntk_slows_the_slowest_pair_by_the_factor_and_leaves_the_fastest(factor, head_dim):
    plain = Rope(head_dim=head_dim).inv_freq
    stretched = Rope(head_dim=head_dim, scaling="ntk", factor=factor).inv_freq
    assert stretched[0] == plain[0] == 1
    assert plain[-1] / stretched[-1] == pytest.approx(factor, rel=1e-12)


@given(
    st.sampled_from(["linear", "ntk", "dynamic-ntk", "yarn", "llama3"]),
    st.floats(1, 32),
    st.integers(1, 64).map(lambda pairs: 2 * pairs),
    st.integers(128, 8192),
)
def test_no_scaling_turns_a_pair_faster_or_slows_it_more_than_the_factor(
    scaling, factor, head_dim, trained
):
    plain = Rope(head_dim=head_dim).inv_freq
    stretched = Rope(
        head_dim=head_dim, scaling=scaling, factor=factor, trained_length=trained
    ).inv_freq_for(int(trained * factor))
    assert (stretched <= plain * (1 + 1e-12)).all()
    if scaling != "dynamic-ntk":  # it grows with the text, beyond the factor
        assert (stretched >= plain / factor * (1 - 1e-12)).all()


def test_scaling_by_a_factor_of_one_changes_nothing():
    plain = Rope(head_dim=32)
    for scaling in ("linear", "ntk", "yarn", "llama3"):
        same = Rope(head_dim=32, scaling=scaling)
        np.testing.assert_allclose(same.inv_freq_for(9999), plain.inv_freq, rtol=1e-14)
        assert same.temperature == 1


@given(st.floats(1, 1e6), st.integers(1, 2048))
def test_dynamic_ntk_changes_no_bit_of_a_text_of_the_trained_length_or_less(factor, length):
    dynamic = Rope(head_dim=32, scaling="dynamic-ntk", factor=factor, trained_length=2048)
    np.testing.assert_array_equal(dynamic.inv_freq_for(length), Rope(head_dim=32).inv_freq)


def test_queries_and_keys_share_the_frequencies_of_the_whole_text():
    """A short query against long keys: both must turn by the length of the keys."""
    rope = Rope(head_dim=8, scaling="dynamic-ntk", factor=2, trained_length=4)
    q, k = normal(1, 1, 8), normal(1, 12, 8)
    turned, _ = rope.on_queries_and_keys(q, k, np.array([2]), np.arange(12), {})
    np.testing.assert_array_equal(turned, rope.rotate(q, np.array([2]), length=12))
    assert not np.allclose(turned, rope.rotate(q, np.array([2])))


def turned_one_by_one(rope, x, **length):
    """Return keys as a cache holds them that turns each when it comes."""
    return np.concatenate(
        [rope.rotate(x[[i]], np.array([i]), **length) for i in range(len(x))], axis=0
    )


@pytest.mark.parametrize("scaling", ["none", "linear", "ntk", "yarn", "llama3"])
def test_turned_keys_may_be_cached(scaling):
    rope, x = Rope(head_dim=8, scaling=scaling, factor=4, trained_length=4), normal(9, 8)
    np.testing.assert_array_equal(turned_one_by_one(rope, x), rope.rotate(x, np.arange(9)))


@pytest.mark.parametrize(
    "way", [{"scaling": "dynamic-ntk"}, {"longrope_short": (1.0,) * 4, "longrope_long": (8.0,) * 4}]
)
def test_where_the_length_matters_turned_keys_may_be_cached_once_it_is_fixed(way):
    rope, x = Rope(head_dim=8, factor=4, trained_length=4, **way), normal(9, 8)
    whole = rope.rotate(x, np.arange(9))
    assert not np.allclose(turned_one_by_one(rope, x), whole)
    np.testing.assert_array_equal(turned_one_by_one(rope, x, length=9), whole)


LONGROPE = {"longrope_short": (1.0, 1.0), "longrope_long": (1.0, 8.0)}


def test_longrope_chooses_its_divisors_by_the_length_of_the_text():
    rope = Rope(head_dim=4, trained_length=10, factor=8, **LONGROPE)
    plain = Rope(head_dim=4).inv_freq
    np.testing.assert_array_equal(rope.inv_freq_for(10), plain)
    np.testing.assert_array_equal(rope.inv_freq_for(11), plain / [1, 8])
    assert rope.temperature == pytest.approx(math.sqrt(1 + math.log(8) / math.log(10)))
    assert hash(rope) == hash(Rope(head_dim=4, trained_length=10, factor=8, **LONGROPE))


@pytest.mark.parametrize(("base", "trained", "changed"), [(10.0, 8, 4.0), (2.0, 10**6, 1.0)])
def test_yarn_treats_all_pairs_alike_where_all_turn_seldom_or_often(base, trained, changed):
    arguments = {"head_dim": 16, "base": base, "trained_length": trained}
    turns = {"yarn_few_turns": 3, "yarn_many_turns": 32}
    stretched = Rope(scaling="yarn", factor=4, **arguments, **turns)
    np.testing.assert_allclose(stretched.inv_freq * changed, Rope(**arguments).inv_freq, rtol=1e-14)


def test_positions_before_the_text_have_the_frequencies_of_an_empty_one():
    rope = Rope(head_dim=4, scaling="dynamic-ntk", factor=2)
    at = np.array([-9, -5])
    np.testing.assert_array_equal(rope.angles(at), rope.angles(at, length=0))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"factor": 0.5}, "factor=0.5: must be between 1 and 1000000"),
        ({"base": 1, "scaling": "yarn"}, "base=1.0: must be above 1 for yarn"),
        (
            {"scaling": "yarn", "yarn_many_turns": 1},
            "yarn_many_turns=1.0: must be above yarn_few_turns=1.0",
        ),
        (
            {"scaling": "yarn", "yarn_few_turns": 64},
            "yarn_few_turns=64.0: must be below yarn_many_turns=32.0",
        ),
        (
            {"scaling": "llama3", "llama3_high_factor": 0.5},
            "llama3_high_factor=0.5: must be at least llama3_low_factor=1.0",
        ),
        (
            {"scaling": "llama3", "llama3_low_factor": 7},
            "llama3_low_factor=7.0: must be at most llama3_high_factor=4.0",
        ),
        (
            {"head_dim": 4, "longrope_long": (1.0, 2.0)},
            "longrope_long=(1.0, 2.0): must come with longrope_short",
        ),
        (
            {"head_dim": 4, "longrope_short": (1.0, 2.0)},
            "longrope_short=(1.0, 2.0): must come with longrope_long",
        ),
        ({"head_dim": 4, **LONGROPE, "scaling": "yarn"}, "must be none with LongRoPE's divisors"),
    ],
)
def test_parameters_that_do_not_fit_are_refused_with_the_reason(arguments, message):
    with pytest.raises(ParameterError) as caught:
        Rope(**arguments)
    assert message in str(caught.value)


def test_unused_parameters_of_a_scaling_may_be_anything():
    unused = {"yarn_many_turns": 1, "llama3_low_factor": 7}
    np.testing.assert_array_equal(Rope(**unused).inv_freq, Rope().inv_freq)


@pytest.mark.parametrize(
    "divisors",
    [
        (1.0, -2.0),
        (1.0, 0.0),
        (1.0, np.nan),
        (1.0, 10**400),
        (1.0,),
        (1.0, 2.0, 3.0),
        (True, True),
        (1, "2"),
        ((1.0, 2.0),) * 2,
        "34",
        b"34",
        3,
        None,
        [],
        {1.0: "a", 2.0: "b"},
        np.ones((2, 1)),
        np.array([True, True]),
    ],
    ids=repr,
)
def test_divisors_of_longrope_are_a_number_for_each_pair(divisors):
    with pytest.raises(ParameterError, match=r"^longrope_long=.*must be 2 numbers between"):
        Rope(head_dim=4, longrope_short=(1.0, 2.0), longrope_long=divisors)


@pytest.mark.parametrize("divisors", [[1, 8], np.array([1.0, 8.0]), torch.tensor([1, 8])])
def test_divisors_of_longrope_may_be_listed_by_any_library(divisors):
    assert Rope(head_dim=4, **{**LONGROPE, "longrope_long": divisors}) == Rope(
        head_dim=4, **LONGROPE
    )


@pytest.mark.parametrize("length", ["8", 2.5, np.nan, -5, True, 10**400, [8]])
@pytest.mark.parametrize("scaling", ["none", "dynamic-ntk"])
def test_lengths_that_are_none_are_refused(length, scaling):
    rope, at = Rope(head_dim=4, scaling=scaling, factor=2), np.arange(3)
    for call in (
        rope.inv_freq_for,
        lambda length: rope.angles(at, length=length),
        lambda length: rope.waves(at, like=np.ones(1), length=length),
        lambda length: rope.rotate(np.ones((3, 4)), at, length=length),
    ):
        with pytest.raises(ParameterError, match=r"^length="):
            call(length)
