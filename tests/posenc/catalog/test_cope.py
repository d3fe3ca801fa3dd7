"""CoPE: gates summed key by key, the table read between its rows, and the limits of both."""

import math

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from posenc.attention import attention
from posenc.catalog.cope import CoPE, cope

from tests.posenc.catalog.small import draw_layer, small, trained

pytestmark = pytest.mark.torch


def term_by_counting(score_row, query, q_at, k_at, j, table):
    """Oracle: count the gates from key j up to the query, then read between two rows."""
    counted = [
        1 / (1 + math.exp(-score))
        for score, at in zip(score_row, k_at, strict=True)
        if k_at[j] <= at <= q_at
    ]
    p = min(sum(counted), len(table) - 1)
    logits = table @ query
    return float(np.interp(p, np.arange(len(table)), logits))


@given(st.permutations(range(12)), st.integers(1, 6), st.integers(1, 9), st.integers(0, 99))
def test_agrees_with_counting(order, length, max_pos, seed):
    encoding, rng = CoPE(head_dim=3, max_pos=max_pos), np.random.default_rng(seed)
    weights = trained(encoding, seed)
    q, scores = rng.normal(size=(2, 4, 3)), 3 * rng.normal(size=(2, 4, length))
    q_at, k_at = rng.integers(0, 12, size=4), np.array(order[:length])
    added = encoding.on_scores(scores, q, q, q_at, k_at, weights) - scores
    for head in range(2):
        for i in range(4):
            for j in range(length):
                row, query = scores[head, i], q[head, i]
                expected = term_by_counting(row, query, q_at[i], k_at, j, weights["table"])
                assert added[head, i, j] == pytest.approx(expected, abs=1e-12)


def test_with_every_gate_open_it_counts_tokens():
    """Scores of 40 have gates of 1: the contextual position is the distance plus one."""
    encoding, positions = CoPE(max_pos=6), np.arange(8)
    p = encoding.contextual_positions(np.full((8, 8), 40.0), positions, positions)
    distance = positions[:, None] - positions
    np.testing.assert_allclose(p, np.clip(distance + 1, 0, 5), rtol=0, atol=1e-13)


def test_huge_scores_do_not_overflow():
    positions = np.arange(3)
    for scores in (np.full((3, 3), 1e30), np.full((3, 3), -1e30), np.full((3, 3), -np.inf)):
        with np.errstate(all="raise"):
            p = CoPE().contextual_positions(scores, positions, positions)
        assert np.isfinite(p).all()


@given(st.integers(-1000, 1000))
def test_only_the_order_of_positions_matters(shift):
    encoding, (_, q, k, v) = small(CoPE), draw_layer(6)
    options, at = {"encoding": encoding, "weights": trained(encoding), "causal": True}, np.arange(6)
    here = attention(q, k, v, q_positions=at, k_positions=at, **options)
    there = attention(q, k, v, q_positions=7 * at + shift, k_positions=7 * at + shift, **options)
    np.testing.assert_array_equal(here, there)


def test_gradients_reach_the_scores_that_open_the_gates():
    scores = torch.zeros(1, 3, 3, dtype=torch.float64, requires_grad=True)
    positions, q = torch.arange(3), torch.ones(1, 3, 8, dtype=torch.float64)
    weights = {"table": torch.arange(32.0, dtype=torch.float64).reshape(4, 8)}
    encoding = CoPE(head_dim=8, max_pos=4)
    (encoding.on_scores(scores, q, q, positions, positions, weights) - scores).sum().backward()
    assert (scores.grad[0][torch.tril(torch.ones(3, 3)) > 0] > 0).all()


def test_its_facts():
    assert CoPE.hooks() == ("on_scores",)
    assert CoPE(head_dim=64, max_pos=100).parameter_count() == 6400
    assert CoPE.extrapolates
    table = CoPE().init_weights(np.random.default_rng(0))["table"]
    assert not table.any()


def test_the_view_counts_full_stops():
    data = cope.views["sentences"].compute(CoPE(), tokens=24, every=6, score=40.0)
    assert data.values[-1, 0] == pytest.approx(4)
    assert data.values[-1, 18] == pytest.approx(1)
    assert data.values[3, 0] == pytest.approx(0)
    assert data.finding.endswith("; the text has 4 full stops and 24 tokens.")
