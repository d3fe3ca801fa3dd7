"""Transformer-XL's relative terms: (a) to (d) of section 3.3, one pair after the other."""

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from posenc.attention import attention
from posenc.catalog.transformer_xl import TransformerXL, transformer_xl

from tests.posenc.catalog.small import draw_layer, trained

SMALL = {"n_heads": 2, "head_dim": 8, "d_model": 16}


def code_of_distance(distance, d_model, base):
    """Oracle: sines before cosines, in Python's floats."""
    angles = [distance / base ** (2 * i / d_model) for i in range(d_model // 2)]
    return np.array([*map(math.sin, angles), *map(math.cos, angles)])


def scores_by_terms(q, k, q_at, k_at, weights, d_model, base):
    """Oracle: the four terms of A_rel, over sqrt(D)."""
    heads, _, D = q.shape
    W = weights["projection"].reshape(d_model, heads, D)
    scores = np.zeros((heads, len(q_at), len(k_at)))
    for h in range(heads):
        u, v = weights["content_bias"][h], weights["position_bias"][h]
        for i, query in enumerate(q[h]):
            for j, key in enumerate(k[h]):
                r = code_of_distance(q_at[i] - k_at[j], d_model, base) @ W[:, h]
                terms = (query @ key, query @ r, u @ key, v @ r)
                scores[h, i, j] = sum(terms) / math.sqrt(D)
    return scores


POSITIONS = st.one_of(
    st.integers(0, 50).map(lambda start: np.arange(start, start + 4)),
    st.lists(st.integers(-30, 30), min_size=4, max_size=4).map(np.array),
    st.lists(st.floats(-30, 30), min_size=4, max_size=4).map(np.array),
)


@given(POSITIONS, POSITIONS, st.floats(2.0, 1e5), st.integers(0, 99))
def test_agrees_with_the_four_terms(q_at, k_at, base, seed):
    encoding = TransformerXL(n_heads=2, head_dim=3, d_model=10, base=base)
    rng, weights = np.random.default_rng(seed), trained(encoding, seed)
    q, k = rng.normal(size=(2, 2, 4, 3))
    content = q @ np.swapaxes(k, -1, -2) / math.sqrt(3)
    actual = encoding.on_scores(content, q, k, q_at, k_at, weights)
    expected = scores_by_terms(q, k, q_at, k_at, weights, 10, base)
    np.testing.assert_allclose(actual, expected, rtol=0, atol=1e-11)


@given(st.integers(-10_000, 10_000))
def test_only_distances_matter(shift):
    encoding = TransformerXL(**SMALL)
    _, q, k, v = draw_layer(6)
    options, at = {"encoding": encoding, "weights": trained(encoding)}, np.arange(6)
    here = attention(q, k, v, q_positions=at, k_positions=at, **options)
    there = attention(q, k, v, q_positions=at + shift, k_positions=at + shift, **options)
    np.testing.assert_allclose(here, there, rtol=0, atol=1e-12)


def test_a_segment_of_memory_is_earlier_keys():
    """Recurrence: four tokens of memory and three new ones score as seven in one text."""
    encoding = TransformerXL(**SMALL)
    _, q, k, v = draw_layer(7)
    options, at = {"encoding": encoding, "weights": trained(encoding), "causal": True}, np.arange(7)
    whole = attention(q, k, v, q_positions=at, k_positions=at, **options)
    new = attention(q[:, 4:], k, v, q_positions=at[4:], k_positions=at, **options)
    np.testing.assert_allclose(new, whole[:, 4:], rtol=0, atol=1e-13)


def test_its_facts():
    assert TransformerXL.hooks() == ("on_scores",)
    large = TransformerXL(n_heads=16, head_dim=64, d_model=1024)
    assert large.parameter_count() == 2 * 16 * 64 + 1024 * 1024
    assert TransformerXL.extrapolates


def test_the_view_shows_the_term_of_one_query():
    data = transformer_xl.views["position-term"].compute(TransformerXL(**SMALL), reach=9, seed=5)
    rng = np.random.default_rng(5)
    weights = TransformerXL(**SMALL).init_weights(rng)
    q = rng.normal(size=(2, 1, 8))
    zero = {**weights, "content_bias": np.zeros((2, 8))}
    scores = scores_by_terms(q, np.zeros((2, 10, 8)), [9], np.arange(10), zero, 16, 10_000.0)
    np.testing.assert_allclose(data.values[:, ::-1], scores[:, 0], rtol=0, atol=1e-12)
