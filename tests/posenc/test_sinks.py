"""Sinks and masks of attention: a score without a value, and pairs that are not seen."""

import math

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from posenc.attention import attention, softmax
from posenc.catalog.alibi import Alibi
from posenc.catalog.nope import NoPE
from posenc.errors import ParameterError

pytestmark = pytest.mark.torch

SCORES = st.lists(st.floats(-50, 50) | st.just(-math.inf), min_size=1, max_size=6)


def with_sink(scores, sink):
    """Oracle: one row, with one more score whose weight is thrown away."""
    powers = [math.exp(score - 60) for score in scores]
    return [score / (sum(powers) + math.exp(sink - 60)) for score in powers]


@given(SCORES, st.floats(-50, 50))
def test_a_sink_joins_the_sum_and_has_no_weight(scores, sink):
    ours = softmax(np.array([[scores]]), np.array([sink]))
    np.testing.assert_allclose(ours[0, 0], with_sink(scores, sink), rtol=1e-12, atol=1e-300)
    theirs = softmax(
        torch.tensor([[scores]], dtype=torch.float64), torch.tensor([sink], dtype=torch.float64)
    )
    np.testing.assert_allclose(theirs.numpy(), ours, rtol=1e-14, atol=1e-300)


def test_the_numbers_of_a_row_of_three():
    weights = softmax(np.array([[[2.0, 1.0, 0.0]]]), np.array([1.0]))[0, 0]
    np.testing.assert_allclose(weights, [0.534447, 0.196612, 0.072329], atol=5e-7)
    assert weights.sum() == pytest.approx(0.803388, abs=5e-7)


def test_a_sink_far_below_changes_nothing_and_far_above_takes_all():
    scores = np.random.default_rng(0).normal(size=(2, 3, 4))
    np.testing.assert_array_equal(softmax(scores, np.full(2, -1e9)), softmax(scores))
    assert softmax(scores, np.full(2, 1e9)).max() == 0


def test_the_output_is_that_of_one_more_key_without_a_value():
    q, k, v = np.random.default_rng(0).normal(size=(3, 2, 3, 5, 8))
    sink, at = np.array([0.5, -1.0, 2.0]), np.arange(5)
    options = {"encoding": NoPE(), "q_positions": at, "k_positions": at, "causal": True}
    ours = attention(q, k, v, **options, sink=sink)
    scores = q @ np.swapaxes(k, -1, -2) / math.sqrt(8)
    scores = np.where(at > at[:, None], -np.inf, scores)
    one_more = np.broadcast_to(sink[:, None, None], (2, 3, 5, 1))
    weights = softmax(np.concatenate([scores, one_more], axis=-1))
    empty = np.concatenate([v, np.zeros((2, 3, 1, 8))], axis=-2)
    np.testing.assert_allclose(ours, weights @ empty, rtol=0, atol=1e-14)


def test_a_sink_and_a_mask_have_gradients():
    q = torch.ones(2, 3, 4, dtype=torch.float64, requires_grad=True)
    sink = torch.zeros(2, dtype=torch.float64, requires_grad=True)
    mask, at = torch.eye(3, dtype=torch.bool), torch.arange(3)

    def run(q, sink):
        options = {"encoding": NoPE(), "q_positions": at, "k_positions": at}
        return attention(q, q, q, **options, sink=sink, mask=mask)

    assert torch.autograd.gradcheck(run, (q, sink))


def test_a_mask_hides_pairs_after_the_encoding_has_scored_them():
    q, k, v = np.random.default_rng(1).normal(size=(3, 2, 4, 8))
    at, alibi = np.arange(4), Alibi(n_heads=2)
    options = {"encoding": alibi, "q_positions": at, "k_positions": at}
    masked = attention(q, k, v, **options, mask=np.tril(np.ones((4, 4), bool)))
    np.testing.assert_array_equal(masked, attention(q, k, v, **options, causal=True))
    assert not attention(q, k, v, **options, mask=np.zeros((4, 4), bool)).any()


@pytest.mark.parametrize(
    "mask",
    [
        [[True]],
        np.ones((4, 4)),
        np.ones((4, 5), bool),
        np.ones((1, 1, 2, 4, 4), bool),
        torch.ones(4, 4, dtype=torch.bool),
    ],
)
def test_masks_that_do_not_fit_are_refused_by_name(mask):
    q, at = np.ones((2, 4, 8)), np.arange(4)
    with pytest.raises(ParameterError, match=r"^mask="):
        attention(q, q, q, encoding=NoPE(), q_positions=at, k_positions=at, mask=mask)


@pytest.mark.parametrize(
    "sink", [1.0, np.ones(3), np.ones((2, 1)), np.array([1, 2]), torch.ones(2)]
)
def test_sinks_that_do_not_fit_are_refused_by_name(sink):
    q, at = np.ones((2, 4, 8)), np.arange(4)
    with pytest.raises(ParameterError, match=r"^sink="):
        attention(q, q, q, encoding=NoPE(), q_positions=at, k_positions=at, sink=sink)
    with pytest.raises(ParameterError, match=r"^sink="):
        softmax(np.ones((2, 4, 4)), sink)
