"""Pairs of a query and a key: every short cut against a loop over the pairs."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from posenc.errors import ParameterError
from posenc.pairs import (
    add_to_scores,
    relate,
    require_heads,
    require_scores,
    whole_positions,
)
from posenc.weights import require_weight, wide

pytestmark = pytest.mark.torch

IN_A_ROW = st.tuples(st.integers(-50, 50), st.integers(1, 9)).map(
    lambda start_and_length: np.arange(start_and_length[0], sum(start_and_length))
)
ANY_ORDER = st.lists(st.integers(-40, 40), min_size=1, max_size=9).map(np.array)
FAR_APART = st.lists(st.integers(-(2**50), 2**50), min_size=1, max_size=4).map(np.array)
FRACTIONAL = st.lists(st.floats(-9, 9), min_size=1, max_size=6).map(np.array)
POSITIONS = st.one_of(IN_A_ROW, ANY_ORDER, FAR_APART, FRACTIONAL)


def pair_by_pair(term, q_positions, k_positions):
    """Oracle: one pair after the other."""
    return np.array([[term(k - q) for k in k_positions] for q in q_positions])


@given(POSITIONS, POSITIONS, st.booleans())
def test_terms_of_relative_positions_reach_their_pairs(q_positions, k_positions, in_torch):
    like = torch.from_numpy if in_torch else np.asarray
    relative = relate(like(q_positions), like(k_positions))
    values = np.asarray(relative.values)
    assert (np.diff(values) > 0).all()
    terms = np.stack([np.sin(values / 7.0), values / 3.0])
    spread = np.asarray(relative.spread(like(terms)))
    for head, term in enumerate((lambda r: np.sin(r / 7.0), lambda r: r / 3.0)):
        np.testing.assert_array_equal(spread[head], pair_by_pair(term, q_positions, k_positions))


@given(POSITIONS, POSITIONS, st.booleans())
def test_products_of_a_query_with_each_distance_reach_their_pairs(q_positions, k_positions, torch_):
    like = torch.from_numpy if torch_ else np.asarray
    relative = relate(like(q_positions), like(k_positions))
    rng = np.random.default_rng(0)
    products = rng.normal(size=(2, 3, len(q_positions), len(np.asarray(relative.values))))
    picked = np.asarray(relative.pick(like(products)))
    places = {float(value): place for place, value in enumerate(np.asarray(relative.values))}
    for i, query in enumerate(q_positions):
        for j, key in enumerate(k_positions):
            expected = products[..., i, places[float(key - query)]]
            np.testing.assert_array_equal(picked[..., i, j], expected)


@pytest.mark.parametrize("at", [np.arange(3), np.array([2, 0, 1]), np.array([0.5, 1.5, 2.5])])
def test_queries_and_keys_of_two_libraries_are_refused(at):
    for q_positions, k_positions in ((at, torch.from_numpy(at)), (torch.from_numpy(at), at)):
        with pytest.raises(ParameterError, match=r"^k_positions=.*same library as q_positions"):
            relate(q_positions, k_positions)


@pytest.mark.parametrize("like", [np.asarray, torch.from_numpy])
def test_each_text_of_a_batch_has_pairs_of_its_own(like):
    queries, keys = np.array([[0, 1, 5], [9, 2, 2]]), np.array([[0, 1], [7, -3]])
    together = relate(like(queries), like(keys))
    terms = np.stack([np.asarray(together.values) * 1.0, np.asarray(together.values) * -2.0])
    spread = np.asarray(together.spread(like(terms)))
    assert spread.shape == (2, 2, 3, 2)
    products = np.random.default_rng(0).normal(size=(2, 4, 3, len(terms[0])))
    picked = np.asarray(together.pick(like(products)))
    for text in range(2):
        expected = pair_by_pair(lambda r: r, queries[text], keys[text])
        np.testing.assert_array_equal(spread[text, 0], expected)
        np.testing.assert_array_equal(spread[text, 1], -2.0 * expected)
        for i in range(3):
            at = [int(np.flatnonzero(terms[0] == r)[0]) for r in expected[i]]
            np.testing.assert_array_equal(picked[text, :, i], products[text, :, i][:, at])


@pytest.mark.parametrize("like", [np.asarray, torch.from_numpy])
@pytest.mark.parametrize(("queries", "keys"), [(0, 3), (3, 0), (0, 0)])
def test_no_tokens_no_pairs(like, queries, keys):
    relative = relate(like(np.arange(queries)), like(np.arange(keys)))
    terms = like(np.zeros((2, len(np.asarray(relative.values)))))
    assert tuple(relative.spread(terms).shape) == (2, queries, keys)


def test_spread_terms_are_an_array_of_their_own():
    spread = relate(np.arange(3), np.arange(3)).spread(np.zeros((1, 5)))
    spread[0, 0, 0] = 1
    assert spread.sum() == 1


def test_gradients_reach_every_distance_as_often_as_it_occurs():
    for positions in (torch.arange(4), torch.tensor([3, 0, 1, 2])):
        relative = relate(positions, positions)
        terms = torch.zeros(1, len(relative.values), requires_grad=True)
        relative.spread(terms).sum().backward()
        assert terms.grad[0].tolist() == [1, 2, 3, 4, 3, 2, 1]


def test_scores_are_added_to_in_full_and_come_back_in_their_own_dtype():
    scores = torch.full((1, 1, 2), 256.0, dtype=torch.bfloat16)
    for total in (add_to_scores(scores, torch.full((1, 1, 2), 0.75)),):
        assert total.dtype == torch.bfloat16
        assert total.tolist() == [[[256.0, 256.0]]]  # bfloat16 has steps of 2 there
    half = np.zeros((1, 2), dtype=np.float16)
    assert add_to_scores(half, np.full((1, 2), 1 / 3)).dtype == np.float16
    exact = add_to_scores(np.zeros((1, 2)), np.full((1, 2), 1 / 3))
    assert exact.dtype == np.float64
    assert exact[0, 0] == 1 / 3


def test_whole_positions_may_be_floating_point_numbers():
    counted = whole_positions("positions", np.array([0.0, 3.0, -2.0]))
    assert counted.dtype == np.int64
    assert counted.tolist() == [0, 3, -2]
    with pytest.raises(ParameterError, match=r"^positions=0\.5: must be whole numbers"):
        whole_positions("positions", torch.tensor([0.0, 0.5, 0.25]))


SCORES = np.zeros((2, 3, 4, 5))
GOOD = {"scores": SCORES, "q_positions": np.arange(4), "k_positions": np.arange(5), "n_heads": 3}


@pytest.mark.parametrize(
    ("changed", "argument"),
    [
        ({"scores": SCORES.astype(int)}, "scores"),
        ({"scores": [[0.0]]}, "scores"),
        ({"scores": np.zeros((3, 4, 4))}, "k_positions"),
        ({"n_heads": 2}, "scores"),
        ({"scores": np.zeros(4), "n_heads": None}, "scores"),
        ({"q_positions": np.arange(5)}, "q_positions"),
        ({"q_positions": np.zeros((2, 3, 4))}, "q_positions"),
        ({"q_positions": np.zeros((3, 4))}, "q_positions"),
        ({"q_positions": np.zeros((1, 2, 4))}, "q_positions"),
        ({"q_positions": np.array([0, 1, np.nan, 3])}, "q_positions"),
        ({"k_positions": torch.arange(5)}, "k_positions"),
    ],
)
def test_scores_that_do_not_fit_are_refused_by_name(changed, argument):
    require_scores(**GOOD)
    with pytest.raises(ParameterError) as caught:
        require_scores(**{**GOOD, **changed})
    assert caught.value.argument == argument


NO_HEADS = [np.zeros((3, 4, 6)), np.zeros(8), np.zeros((3, 4, 8), int), "q", np.zeros((3, 7, 8))]


@pytest.mark.parametrize("heads", [*NO_HEADS, np.zeros((2, 4, 8)), np.zeros((1, 3, 4, 8))])
def test_heads_that_do_not_fit_the_scores_are_refused(heads):
    scores = np.zeros((3, 4, 5))
    assert require_heads("q", np.zeros((3, 4, 8)), 8, scores=scores, axis=-2).shape == (3, 4, 8)
    with pytest.raises(ParameterError, match=r"^q="):
        require_heads("q", heads, 8, scores=scores, axis=-2)


def test_a_weight_is_checked_and_made_wide_enough():
    weights = {"table": np.zeros((2, 3), dtype=np.float16)}
    assert require_weight(weights, "table", (2, 3), beside=SCORES).dtype == np.float32
    assert wide(np.zeros(2)).dtype == np.float64


@pytest.mark.parametrize(
    ("weights", "beside", "message"),
    [
        ({}, SCORES, r'weights["table"]=None: must be a floating-point array of shape (3,)'),
        ({"bias": SCORES}, SCORES, "weights hold bias"),
        ({"table": np.zeros(4)}, SCORES, "of shape (3,)"),
        ({"table": [0.0] * 3}, SCORES, "of shape (3,)"),
        ({"table": np.zeros(3, dtype=int)}, SCORES, "floating-point"),
        ({"table": torch.zeros(3)}, SCORES, "same library"),
    ],
)
def test_a_weight_that_does_not_fit_is_refused_by_name(weights, beside, message):
    with pytest.raises(ParameterError) as caught:
        require_weight(weights, "table", (3,), beside=beside)
    assert message in str(caught.value)
    assert caught.value.argument == 'weights["table"]'
