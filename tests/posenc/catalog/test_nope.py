"""No positional encoding: nothing is touched, and what a causal mask does to equal tokens."""

import math

import numpy as np
import posenc.catalog  # noqa: F401  (registers every encoding)
import pytest
from hypothesis import given
from hypothesis import strategies as st
from posenc.catalog.nope import CLASSIC, NoPE, nope
from posenc.catalog.rope import Rope
from posenc.errors import ParameterError
from posenc.registry import REGISTRY

from tests.posenc.catalog.small import draw_layer, layer


def test_its_facts():
    assert NoPE.hooks() == ()
    assert NoPE().parameter_count() == 0
    assert NoPE.extrapolates
    assert NoPE.cost == "nothing"


def test_every_hook_returns_its_input():
    x, q, k, v = draw_layer(4)
    at = np.arange(4)
    assert NoPE().on_embeddings(x, at, {}) is x
    assert NoPE().on_queries_and_keys(q, k, at, at, {}) == (q, k)
    assert NoPE().on_scores(q, q, k, at, at, {}) is q
    assert NoPE().on_values(v, q, at, at, {}) is v


@given(st.permutations(range(6)))
def test_shuffled_tokens_give_shuffled_outputs(order):
    inputs, order = draw_layer(6), list(order)
    x, *heads = inputs
    straight = layer(NoPE(), *inputs, np.arange(6), {}, causal=False)
    shuffled = [x[order], *(one[:, order] for one in heads)]
    out = layer(NoPE(), *shuffled, np.arange(6), {}, causal=False)
    np.testing.assert_allclose(out, straight[order], rtol=0, atol=1e-14)


@given(st.integers(1, 40))
def test_equal_tokens_share_their_attention_equally(tokens):
    view = nope.views["equal-tokens"]
    by_hand = [[1 / (i + 1) if j <= i else 0.0 for j in range(tokens)] for i in range(tokens)]
    masked = view.compute(NoPE(), tokens=tokens)
    np.testing.assert_allclose(masked.values, by_hand, rtol=1e-14)
    assert masked.summary["different_rows"] == tokens
    unmasked = view.compute(NoPE(), tokens=tokens, causal=False)
    np.testing.assert_allclose(unmasked.values, 1 / tokens, rtol=1e-14)
    assert unmasked.summary["different_rows"] == 1


def test_the_finding_names_the_weights():
    compute = nope.views["equal-tokens"].compute
    begin, end = compute(NoPE(), tokens=8).finding.split("; ")
    assert begin == "The first token weighs 1 in the first row and 0.125 in the last"
    assert end == "the 8 rows all differ."
    assert compute(NoPE(), tokens=8, causal=False).finding.endswith("; all 8 rows are the same.")
    assert compute(NoPE(), tokens=1).finding.endswith("; there is one row.")


@pytest.mark.parametrize("argument", [{"head_dim": 8}, {"d_model": 4}])
def test_it_has_no_parameters(argument):
    with pytest.raises(TypeError):
        NoPE(**argument)


def test_the_comparison_has_a_panel_for_every_encoding():
    data = nope.views["compare"].compute(NoPE(), distances=32, seed=3)
    titles = [entry.title for entry in REGISTRY.values()]
    assert len(data.panels) == len(titles)
    assert data.panels[0].title == REGISTRY["nope"].title
    short = [panel.title.removesuffix(", untrained") for panel in data.panels]
    assert all(any(name in title for title in titles) for name in short)
    rows = zip(data.row_names[::2], data.values[::2], data.values[1::2], strict=True)
    by_title = {name.rpartition(", ")[0]: np.stack(two) for name, *two in rows}
    assert by_title.keys() == set(titles)
    assert not by_title[REGISTRY["nope"].title].any()
    alibi = by_title[REGISTRY["alibi"].title]
    np.testing.assert_allclose(alibi, np.tile(-0.5 * np.arange(33), (2, 1)), atol=1e-12)
    q = np.random.default_rng(3).normal(size=(2, 8, 32))[0, 0]
    turned = np.cos(np.outer(Rope(head_dim=32).inv_freq, range(33))) - 1
    for slug, pairs in {"rope": q.reshape(16, 2), "rope_2d": q.reshape(2, 16).T}.items():
        title = REGISTRY[slug].title
        by_hand = (pairs**2).sum(axis=1) @ turned / math.sqrt(32)
        np.testing.assert_allclose(by_title[title][0], by_hand, rtol=0, atol=1e-12)
    assert "have lost most with" in data.finding
    assert " 2 of " in data.finding  # NoPE, and CoPE whose table starts as zeros


def test_the_panels_of_the_comparison_have_one_scale_and_learned_ones_stand_last():
    data = nope.views["compare"].compute(NoPE(), distances=32, seed=3)
    assert len({(panel.limits, panel.y.limits, panel.y.ticks) for panel in data.panels}) == 1
    low, high = data.limits
    assert low <= np.min(data.values)
    assert np.max(data.values) <= high
    untrained = [panel.title.endswith(", untrained") for panel in data.panels]
    assert untrained == sorted(untrained)
    learn = [entry for entry in REGISTRY.values() if entry.encoding().parameter_count()]
    assert sum(untrained) == len(learn)


def test_curves_of_the_comparison_that_coincide_are_drawn_as_one():
    data = nope.views["compare"].compute(NoPE(), distances=32, seed=3)
    pairs = zip(data.panels, data.values[::2], data.values[1::2], strict=True)
    alike = 0
    for panel, equal, unrelated in pairs:
        drawn = np.isfinite(panel.values).all(axis=1).tolist()
        one = np.allclose(equal, unrelated, rtol=0, atol=1e-9)
        assert drawn == ([False, False, True] if one else [True, True, False])
        assert np.array_equal(panel.values[2 if one else 0], equal)
        alike += one
    assert (
        f"with {alike} the change is the same for equal and for unrelated vectors" in data.finding
    )


def test_the_comparison_of_the_classics_has_their_panels_as_among_all():
    compared = nope.views["compare"]
    everything = compared.compute(NoPE(), distances=32, seed=3)
    classics = compared.compute(NoPE(), only="classic", distances=32, seed=3)
    rows = [everything.row_names.index(name) for name in classics.row_names]
    named = [name.rpartition(", ")[0] for name in classics.row_names]
    learned_last = ("sinusoidal", "rope", "alibi", "learned", "shaw", "t5_bias")
    assert sorted(learned_last) == sorted(CLASSIC)
    assert named == [REGISTRY[slug].title for slug in learned_last for _ in range(2)]
    np.testing.assert_array_equal(classics.values, everything.values[rows])
    assert len(classics.panels) == classics.summary["encodings"] == len(CLASSIC)


def test_the_comparison_refuses_a_choice_that_it_does_not_have():
    with pytest.raises(ParameterError, match="only"):
        nope.views["compare"].compute(NoPE(), only="rope")
