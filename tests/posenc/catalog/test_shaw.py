"""Shaw's relative vectors: equations 3 and 4 with a vector for each pair, as written."""

import math

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from posenc.attention import attention, softmax
from posenc.catalog.shaw import Shaw, shaw
from posenc.errors import ParameterError

from tests.posenc.catalog.small import draw_layer, trained

pytestmark = pytest.mark.torch

CLIPS = st.integers(0, 6)
LENGTHS = st.integers(1, 7)


def attention_by_equations(q, k, v, q_at, k_at, clip_distance, keys, values, causal):
    """Oracle: a_ij for each pair, one pair after the other; e_ij of eq. 4, z_i of eq. 3."""
    out = np.zeros((*q.shape[:-1], v.shape[-1]))
    for head in range(len(q)):
        for i, query in enumerate(q[head]):
            seen = [j for j in range(len(k_at)) if not causal or k_at[j] <= q_at[i]]
            if not seen:
                continue
            row = {j: max(-clip_distance, min(clip_distance, k_at[j] - q_at[i])) for j in seen}
            row = {j: r + clip_distance for j, r in row.items()}
            e = [query @ (k[head, j] + keys[row[j]]) / math.sqrt(len(query)) for j in seen]
            shares = np.exp(e - np.max(e))
            shares /= shares.sum()
            for share, j in zip(shares, seen, strict=True):
                vector = v[head, j] + (values[row[j]] if values is not None else 0)
                out[head, i] += share * vector
    return out


IN_A_ROW = st.tuples(st.integers(-9, 9), LENGTHS).map(lambda one: np.arange(one[0], sum(one)))
ANY_ORDER = st.lists(st.integers(-20, 20), min_size=1, max_size=7).map(np.array)
POSITIONS = st.one_of(IN_A_ROW, IN_A_ROW, ANY_ORDER)


@given(CLIPS, POSITIONS, POSITIONS, st.booleans(), st.booleans(), st.integers(0, 99))
def test_agrees_with_the_equations(clip_distance, q_at, k_at, causal, on_the_values, seed):
    encoding = Shaw(head_dim=4, clip_distance=clip_distance, on_the_values=on_the_values)
    rng, weights = np.random.default_rng(seed), trained(encoding, seed)
    q, k, v = (rng.normal(size=(2, len(at), 4)) for at in (q_at, k_at, k_at))
    options = {"encoding": encoding, "weights": weights, "causal": causal}
    actual = attention(q, k, v, q_positions=q_at, k_positions=k_at, **options)
    tables = weights["keys"], weights.get("values")
    expected = attention_by_equations(q, k, v, q_at, k_at, clip_distance, *tables, causal)
    np.testing.assert_allclose(actual, expected, rtol=0, atol=1e-12)


@given(st.integers(-1000, 1000), CLIPS)
def test_only_relative_positions_matter(shift, clip_distance):
    encoding, (_, q, k, v) = Shaw(head_dim=8, clip_distance=clip_distance), draw_layer(6)
    options = {"encoding": encoding, "weights": trained(encoding)}
    here, there = np.arange(6), np.arange(6) + shift
    out = attention(q, k, v, q_positions=here, k_positions=here, **options)
    moved = attention(q, k, v, q_positions=there, k_positions=there, **options)
    np.testing.assert_array_equal(out, moved)


@given(CLIPS, st.lists(st.integers(-50, 50), min_size=1))
def test_rows_are_clipped_then_shifted(clip_distance, relative):
    rows = Shaw(clip_distance=clip_distance).row(np.array(relative))
    expected = [sorted((-clip_distance, r, clip_distance))[1] + clip_distance for r in relative]
    assert rows.tolist() == expected


def test_its_facts():
    assert Shaw.hooks() == ("on_scores", "on_values")
    assert Shaw(head_dim=64, clip_distance=16).parameter_count() == 2 * 33 * 64
    assert Shaw(head_dim=64, clip_distance=16, on_the_values=False).parameter_count() == 33 * 64
    assert Shaw.extrapolates


def test_without_value_vectors_the_mixed_values_are_left_alone():
    encoding = Shaw(head_dim=8, on_the_values=False)
    _, q, _, v = draw_layer(5)
    assert encoding.on_values(v, q, np.arange(5), np.arange(5), {}) is v


def test_the_value_gradient_is_the_weight_each_row_received():
    encoding = Shaw(head_dim=2, clip_distance=1)
    _, q, k, _ = (torch.from_numpy(one) for one in draw_layer(4))
    shares = torch.from_numpy(softmax((q @ k.mT).numpy()))
    table, positions = torch.zeros(3, 2, requires_grad=True, dtype=torch.float64), torch.arange(4)
    mixed = torch.zeros(2, 4, 2, dtype=torch.float64)
    encoding.on_values(mixed, shares, positions, positions, {"values": table}).sum().backward()
    below, diagonal = torch.tril(shares, -1).sum(), torch.diagonal(shares, 0, 1, 2).sum()
    by_row = [below, diagonal, shares.sum() - below - diagonal]
    torch.testing.assert_close(table.grad[:, 0], torch.stack(by_row))


def test_no_keys_no_vectors():
    encoding, nothing = Shaw(head_dim=8), np.zeros((2, 0, 8))
    q, at = np.ones((2, 3, 8)), {"q_positions": np.arange(3), "k_positions": np.arange(0)}
    mixed = np.zeros((2, 3, 8))
    shares = np.zeros((2, 3, 0))
    assert encoding.on_scores(shares, q, nothing, **at, weights=trained(encoding)).shape == (
        2,
        3,
        0,
    )
    assert encoding.on_values(mixed, shares, **at, weights=trained(encoding)) is mixed


GOOD = {"scores": np.zeros((2, 3, 5)), "q": np.zeros((2, 3, 8)), "q_positions": np.arange(3)}


@pytest.mark.parametrize(
    ("changed", "argument"),
    [
        ({"q": np.zeros((2, 3, 6))}, "q"),
        ({"q_positions": np.arange(4)}, "q_positions"),
        ({"q_positions": np.array([0.0, 1.5, 2.0])}, "q_positions"),
        ({"scores": np.zeros((2, 3, 5), dtype=int)}, "scores"),
        ({"weights": {"keys": np.zeros((4, 8))}}, 'weights["keys"]'),
    ],
)
def test_arguments_that_do_not_fit_are_refused_by_name(changed, argument):
    encoding = Shaw(head_dim=8, clip_distance=2)
    fixed = {"k": np.zeros((2, 5, 8)), "k_positions": np.arange(5), "weights": trained(encoding)}
    encoding.on_scores(**{**GOOD, **fixed})
    with pytest.raises(ParameterError) as caught:
        encoding.on_scores(**{**GOOD, **fixed, **changed})
    assert caught.value.argument == argument


def test_the_views_count_clipped_pairs():
    data = shaw.views["lookup"].compute(Shaw(clip_distance=2), tokens=5)
    assert data.values[0].tolist() == [2, 3, 4, 4, 4]
    assert data.summary["clipped_pairs"] == 6
    ramp = shaw.views["clip"].compute(Shaw(clip_distance=2), reach=5)
    assert ramp.values[0].tolist() == [0, 0, 0, 0, 1, 2, 3, 4, 4, 4, 4]
    assert ramp.summary["distances_of_the_last_row"] == 4
    assert ramp.finding.startswith("Each relative position from −2 to 2 has one of 5 rows")
    flat = shaw.views["clip"].compute(Shaw(clip_distance=0), reach=5)
    assert flat.values.tolist() == [[0] * 11]
    assert flat.finding == "One row is read by every relative position."
    assert not flat.zones
