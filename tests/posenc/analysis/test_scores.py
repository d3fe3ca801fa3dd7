"""Scores against distance: formulas of each encoding written out, and the course's numbers."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from posenc.analysis import dot_products, score_by_distance
from posenc.catalog.alibi import Alibi
from posenc.catalog.learned import Learned
from posenc.catalog.nope import NoPE
from posenc.catalog.rope import Rope
from posenc.catalog.shaw import Shaw
from posenc.catalog.sinusoidal import Sinusoidal
from posenc.catalog.t5_bias import T5Bias
from posenc.errors import ParameterError

DISTANCES = np.array([0, 1, 2, 5, 30])
ONES = np.ones((2, 8))


def draw(seed=0, heads=2, head_dim=8):
    return np.random.default_rng(seed).normal(size=(2, heads, head_dim))


def test_without_positions_every_distance_scores_alike():
    q, k = draw()
    scores = score_by_distance(NoPE(), DISTANCES, q=q, k=k)
    by_hand = [q[h] @ k[h] / math.sqrt(8) for h in range(2)]
    np.testing.assert_allclose(scores, np.repeat([by_hand], 5, axis=0).T, rtol=1e-12)


def test_the_score_of_rope_for_equal_vectors_is_a_sum_of_cosines():
    """COURSE: q = k scores 1, 0.97, 0.67, 0.55, 0.48, 0.30, 0.16."""
    rope, at = Rope(head_dim=128), [0, 1, 10, 50, 100, 500, 1000]
    scores = score_by_distance(rope, at, q=np.ones((1, 128)), k=np.ones((1, 128)))[0]
    by_hand = 2 * dot_products(rope.inv_freq, at) / math.sqrt(128)
    np.testing.assert_allclose(scores, by_hand, rtol=1e-12)
    expected = [1, 0.97, 0.67, 0.55, 0.48, 0.30, 0.16]
    assert scores / scores[0] == pytest.approx(expected, abs=0.005)


def test_independent_vectors_do_not_decay_under_rope():
    """COURSE: E[score^2] is 143, 126, 129 at 0, 100, 1000 for D = 128: no trend, D on average."""
    heads = draw(heads=4000, head_dim=128)
    scores = score_by_distance(Rope(head_dim=128), [0, 100, 1000], q=heads[0], k=heads[1])
    squares = (scores**2).mean(axis=0) * 128
    assert squares == pytest.approx([128, 128, 128], rel=0.08)


def test_sinusoidal_codes_add_four_products():
    q, k = draw()
    encoding, query_at = Sinusoidal(d_model=16), 40
    scores = score_by_distance(encoding, DISTANCES, q=q, k=k, query_at=query_at)
    here = (q.reshape(-1) + encoding.encode(np.array([query_at]))[0]).reshape(2, 8)
    for column, distance in enumerate(DISTANCES):
        there = k.reshape(-1) + encoding.encode(np.array([query_at - distance]))[0]
        by_hand = [here[h] @ there.reshape(2, 8)[h] / math.sqrt(8) for h in range(2)]
        np.testing.assert_allclose(scores[:, column], by_hand, rtol=1e-12)


def test_codes_alone_give_the_dot_products_of_the_course():
    nothing = np.zeros((1, 128))
    scores = score_by_distance(Sinusoidal(d_model=128), [0, 1, 2, 5, 10, 20], q=nothing, k=nothing)
    expected = [64, 62.1, 57.4, 47.2, 42.8, 38.9]
    assert scores[0] * math.sqrt(128) == pytest.approx(expected, abs=0.05)


@given(st.integers(1, 12), st.integers(0, 1000))
def test_alibi_takes_its_slope_for_each_token(n_heads, query_at):
    alibi, zero = Alibi(n_heads=n_heads), np.zeros((n_heads, 8))
    scores = score_by_distance(alibi, DISTANCES, q=zero, k=zero, query_at=query_at)
    np.testing.assert_allclose(scores, -np.multiply.outer(alibi.slopes, DISTANCES), rtol=1e-12)


def test_biases_and_vectors_are_read_for_keys_before_the_query():
    rng = np.random.default_rng(0)
    table = rng.normal(size=(32, 2))
    zero = np.zeros((2, 8))
    scores = score_by_distance(
        T5Bias(n_heads=2), DISTANCES, q=zero, k=zero, weights={"table": table}
    )
    np.testing.assert_array_equal(scores, table[T5Bias().buckets(-DISTANCES)].T)
    shaw, q = Shaw(head_dim=8, clip_distance=4), draw()[0]
    vectors = rng.normal(size=(9, 8))
    scores = score_by_distance(shaw, DISTANCES, q=q, k=zero, weights={"keys": vectors})
    by_hand = q @ vectors[np.maximum(4 - DISTANCES, 0)].T / math.sqrt(8)
    np.testing.assert_allclose(scores, by_hand, rtol=1e-12)


def test_learned_tables_end():
    encoding = Learned(max_len=16, d_model=16)
    weights = encoding.init_weights(np.random.default_rng(0))
    score_by_distance(encoding, [0, 15], q=ONES, k=ONES, weights=weights)
    with pytest.raises(ParameterError, match=r"^positions=16"):
        score_by_distance(encoding, [0, 16], q=ONES, k=ONES, weights=weights)


@pytest.mark.parametrize(
    ("changed", "argument"),
    [
        ({"distances": 3}, "distances"),
        ({"distances": []}, "distances"),
        ({"distances": [np.nan]}, "distances"),
        ({"q": np.ones(8)}, "q"),
        ({"encoding": 3}, "encoding"),
        ({"query_at": "8"}, "query_at"),
        ({"query_at": np.nan}, "query_at"),
        ({"query_at": [8]}, "query_at"),
        ({"k": np.ones((3, 8))}, "k"),
        ({"q": np.ones((2, 6)), "k": np.ones((2, 6))}, "q"),
    ],
)
def test_arguments_that_cannot_be_used_are_refused_by_name(changed, argument):
    with pytest.raises(ParameterError) as caught:
        score_by_distance(
            **{"encoding": Rope(head_dim=8), "distances": [1], "q": ONES, "k": ONES, **changed}
        )
    assert caught.value.argument == argument
