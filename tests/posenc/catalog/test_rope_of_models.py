"""What released models ask of RoPE: shares of a whole head, YaRN as shipped, Llama 4's step."""

import copy
import math
import pickle

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from posenc.catalog.rope import Rope, rope
from posenc.errors import ParameterError
from posenc.query import read_query

pytestmark = pytest.mark.torch

GPT_OSS = {"head_dim": 64, "base": 1.5e5, "scaling": "yarn", "factor": 32, "trained_length": 4096}
DEEPSEEK = {"head_dim": 64, "scaling": "yarn", "factor": 40, "trained_length": 4096}


@given(st.integers(1, 32), st.floats(0, 1), st.floats(2, 1e6), st.floats(1, 32))
def test_proportional_pairs_are_the_fastest_of_the_whole_head(pairs, share, base, factor):
    ours = Rope(
        head_dim=2 * pairs,
        rotary_share=share,
        base=base,
        share="proportional",
        pairing="half-split",
        scaling="linear",
        factor=factor,
    )
    moving = int(share * pairs)
    expected = [base ** (-pair / pairs) / factor * (pair < moving) for pair in range(pairs)]
    np.testing.assert_allclose(ours.inv_freq, expected, rtol=1e-12)
    assert not ours.inv_freq[moving:].any()
    assert (ours.moving_pairs, ours.turning) == (moving, 2 * pairs)


def test_partial_and_proportional_shares_differ():
    half = {"head_dim": 8, "rotary_share": 0.5, "pairing": "half-split"}
    np.testing.assert_allclose(Rope(**half).inv_freq, [1, 0.01], rtol=1e-15)
    whole = Rope(**half, share="proportional").inv_freq
    np.testing.assert_allclose(whole, [1, 0.1, 0, 0], rtol=1e-15)
    gemma = Rope(
        head_dim=512, rotary_share=0.25, base=1e6, share="proportional", pairing="half-split"
    )
    assert gemma.inv_freq[63] == pytest.approx(3.3376247e-2, rel=1e-8)
    assert not gemma.inv_freq[64:].any()


@pytest.mark.parametrize("library", [np.asarray, torch.asarray], ids=["numpy", "torch"])
def test_pairs_of_frequency_0_stay_exactly_as_they_are(library):
    ours = Rope(head_dim=16, rotary_share=0.5, share="proportional", pairing="half-split")
    x = np.random.default_rng(0).normal(size=(3, 5, 16)).astype(np.float32)
    turned = np.asarray(ours.rotate(library(x), library(np.arange(5) + 1000)))
    still = [4, 5, 6, 7, 12, 13, 14, 15]
    np.testing.assert_array_equal(turned[..., still], x[..., still])
    assert not np.isclose(turned[..., [0, 8]], x[..., [0, 8]]).all()


def test_gpt_oss_does_not_round_the_ends_of_its_ramp():
    ours = Rope(**GPT_OSS, yarn_truncate=False)
    assert ours.yarn_ramp == pytest.approx((8.092779, 17.398025), abs=5e-7)
    assert Rope(**GPT_OSS).yarn_ramp == (8, 18)
    assert ours.inv_freq[31] == pytest.approx(3.0235e-7, rel=1e-5)
    assert ours.temperature == pytest.approx(1.346574, abs=5e-7)
    assert Rope().yarn_ramp is None


@given(st.booleans(), st.floats(10, 1e6), st.floats(1, 64), st.integers(64, 65_536))
def test_yarn_agrees_with_its_ramp_pair_by_pair(truncate, base, factor, trained):
    ours = Rope(
        head_dim=64,
        base=base,
        scaling="yarn",
        factor=factor,
        trained_length=trained,
        yarn_truncate=truncate,
    )

    def pair_of(turns):  # base^(-2 pair / 64) * trained / (2 pi) = turns
        return 32 * math.log(trained / (2 * math.pi * turns)) / math.log(base)

    begin, end = pair_of(32), pair_of(1)
    if truncate:
        begin, end = math.floor(begin), math.ceil(end)
    begin, end = max(begin, 0), min(end, 63)
    for pair, ours_is in enumerate(ours.inv_freq):
        plain = base ** (-pair / 32)
        if end < begin:
            share = 1.0 if end < 0 else 0.0
        else:
            share = min(max((pair - begin) / ((end - begin) or 0.001), 0), 1)
        expected = plain / factor * share + plain * (1 - share)
        assert ours_is == pytest.approx(expected, rel=1e-9)


def test_deepseek_scales_scores_and_not_queries():
    ours = Rope(**DEEPSEEK, mscale=1, mscale_all_dim=1)
    assert ours.temperature == 1
    assert ours.score_scale == pytest.approx(1.873854, abs=5e-7)
    assert ours.score_scale / math.sqrt(192) == pytest.approx(0.1352338, abs=5e-8)
    kimi = Rope(**{**DEEPSEEK, "factor": 64}, mscale=1, mscale_all_dim=1)
    assert kimi.score_scale == pytest.approx(2.0047, abs=5e-5)
    assert Rope().score_scale == 1


@given(st.floats(1.1, 64), st.floats(0.1, 2), st.floats(0.1, 2))
def test_the_temperature_of_mscale_is_a_ratio(factor, above, below):
    ours = Rope(**{**DEEPSEEK, "factor": factor}, mscale=above, mscale_all_dim=below)
    by_hand = (0.1 * above * math.log(factor) + 1) / (0.1 * below * math.log(factor) + 1)
    assert ours.temperature == pytest.approx(by_hand, rel=1e-12)


def test_a_stated_factor_is_the_temperature():
    assert Rope(**GPT_OSS, attention_factor=1.0).temperature == 1
    divisors = {"longrope_short": (1.0, 1.0), "longrope_long": (1.0, 8.0), "factor": 32}
    stated = Rope(head_dim=4, **divisors, attention_factor=1.19)
    assert stated.temperature == 1.19
    x = np.ones((1, 4))
    np.testing.assert_allclose(stated.rotate(x, np.array([0])), 1.19 * x, rtol=1e-15)


def test_llama4_has_a_step_where_llama3_has_a_ramp():
    bounds = {"trained_length": 8192, "llama3_low_factor": 1, "llama3_high_factor": 1}
    scout = Rope(head_dim=128, base=5e5, scaling="llama3", factor=16, **bounds)
    plain = Rope(head_dim=128, base=5e5).inv_freq
    np.testing.assert_array_equal(scout.inv_freq[:35], plain[:35])
    np.testing.assert_array_equal(scout.inv_freq[35:], plain[35:] / 16)
    assert scout.inv_freq[63] == pytest.approx(1.5345e-7, rel=1e-4)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"partial_rotary_factor": 0.5}, "partial_rotary_factor=0.5: is not a parameter of Rope"),
        ({"rotary_pct": 0.25}, "give rotary_share"),
        ({"rope_theta": 5e5}, "give base"),
        ({"pairing": "interleaved"}, "here 'interleaved' is adjacent"),
        ({"pairing": "neox"}, "here 'neox' is half-split"),
        ({"scaling": "default"}, "here 'default' is none"),
        ({"scaling": "dynamic"}, "here 'dynamic' is dynamic-ntk"),
        ({"scaling": "longrope"}, "longrope_short and longrope_long"),
        (
            {"share": "proportional"},
            'pairing=adjacent: must be half-split for share="proportional"',
        ),
        (
            {"share": "proportional", "pairing": "half-split", "scaling": "yarn"},
            "scaling=yarn: must be none or linear",
        ),
        ({"attention_factor": 1.2}, "attention_factor=1.2: must be None without yarn"),
        ({"mscale": 1.0}, "mscale=1.0: must be 0 without yarn"),
        ({"scaling": "yarn", "mscale": 0.7}, "mscale=0.7: must come with mscale_all_dim"),
        ({"scaling": "yarn", "mscale_all_dim": 1}, "mscale_all_dim=1.0: must come with mscale"),
    ],
)
def test_words_of_other_libraries_are_answered_with_ours(arguments, message):
    with pytest.raises(ParameterError) as caught:
        Rope(**arguments)
    assert message in str(caught.value)


def test_a_name_that_nobody_uses_is_still_a_type_error():
    with pytest.raises(TypeError, match="wave_count"):
        Rope(wave_count=3)


def test_copies_and_pickles_are_equal():
    ours = Rope(**GPT_OSS, yarn_truncate=False)
    assert copy.deepcopy(ours) == pickle.loads(pickle.dumps(ours)) == ours


def test_addresses_of_figures_keep_their_parameters():
    view = rope.views["scores"]
    names = {parameter.name for parameter in (*rope.parameters, *view.parameters)}
    assert not names & {"share", "yarn_truncate", "attention_factor", "mscale"}
    assert read_query(rope, view, {}).encoding == Rope()
