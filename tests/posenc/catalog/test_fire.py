"""FIRE: the equations for one pair at a time, and what interpolation promises."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from posenc.catalog.fire import Fire, fire
from posenc.number_format import rounded

from tests.posenc.catalog.small import trained

POSITIONS = st.one_of(
    st.integers(0, 50).map(lambda start: np.arange(start, start + 4)),
    st.lists(st.floats(0, 999), min_size=1, max_size=5).map(np.array),
)


def bias_by_equations(i, j, weights, threshold):
    """Oracle: one pair, a neuron at a time."""
    c, L = float(weights["c"]), abs(float(weights["multiplier"]) * threshold)
    share = math.log(abs(c * (i - j)) + 1) / (math.log(abs(c * max(i, L)) + 1) + 1e-6)
    neurons = zip(weights["hidden_weight"][:, 0], weights["hidden_bias"], strict=True)
    hidden = [max(0.0, w * share + b) for w, b in neurons]
    return [
        sum(w * h for w, h in zip(row, hidden, strict=True)) + b
        for row, b in zip(weights["out_weight"], weights["out_bias"], strict=True)
    ]


@given(POSITIONS, POSITIONS, st.floats(1, 500), st.integers(0, 99))
def test_agrees_with_the_equations(q_at, k_at, threshold, seed):
    encoding = Fire(n_heads=2, mlp_width=5, threshold=threshold)
    weights = trained(encoding, seed)
    bias = encoding.bias(q_at, k_at, weights)
    for row, i in enumerate(q_at):
        for column, j in enumerate(k_at):
            expected = bias_by_equations(float(i), float(j), weights, threshold)
            np.testing.assert_allclose(bias[:, row, column], expected, rtol=1e-12, atol=1e-12)


@given(st.floats(1e-3, 10), st.floats(1, 1e4), st.integers(0, 10**6))
def test_every_earlier_key_has_a_share_between_0_and_1(c, threshold, query):
    weights = {"c": np.array(c), "multiplier": np.array(1.0)}
    keys = np.unique(np.linspace(0, query, 50).astype(int))
    shares = Fire(threshold=threshold).shares(np.array([query]), keys, weights)[0]
    assert shares.min() >= 0
    assert shares.max() <= 1
    assert shares[-1] == 0
    assert (np.diff(shares) < 0).all()
    if query >= threshold:
        assert shares[0] == pytest.approx(1, abs=1e-2)


def test_below_the_threshold_only_distances_matter_and_beyond_it_the_query_too():
    encoding = Fire(n_heads=2, threshold=100.0)
    weights = trained(encoding)
    weights["multiplier"] = np.array(1.0)
    near, moved, far = (
        encoding.bias(np.arange(4) + shift, np.arange(4) + shift, weights) for shift in (0, 90, 900)
    )
    np.testing.assert_allclose(near, moved, rtol=0, atol=1e-13)
    assert np.abs(near - far).max() > 1e-3


def test_its_facts():
    assert Fire.hooks() == ("on_scores",)
    assert Fire(n_heads=12, mlp_width=32).parameter_count() == 2 + 2 * 32 + 32 * 12 + 12
    assert Fire.extrapolates
    drawn = Fire().init_weights(np.random.default_rng(0))
    assert (drawn["c"], drawn["multiplier"]) == (0.1, 1)


def test_the_view_ends_each_curve_at_the_first_token():
    data = fire.views["shares"].compute(Fire(threshold=512.0), reach=4096)
    assert np.isnan(data.values[0][data.x.values > 128]).all()
    assert data.values[0][data.x.values == 128][0] == pytest.approx(
        math.log(1 + 12.8) / math.log(1 + 51.2), rel=1e-5
    )
    assert data.values[1][data.x.values == 512][0] == pytest.approx(1, abs=1e-5)


@pytest.mark.parametrize("reach", [2, 10, 64, 500, 4160, 100_000])
def test_the_finding_speaks_of_shares_at_the_distances_it_names(reach):
    encoding = Fire(threshold=512.0)
    data = fire.views["shares"].compute(encoding, reach=reach)
    near, weights = min(64, reach), {"c": np.array(0.1), "multiplier": np.array(1.0)}
    share = {
        query: [
            encoding.shares(np.array([query]), np.array([query - one]), weights).item()
            for one in (near, min(query, reach))
        ]
        for query in (128, 512, 2048, 8192)
    }
    assert data.finding == (
        f"The largest share here is {rounded(max(far for _, far in share.values()), 4)};"
        f" distance {near} has {rounded(share[128][0], 2)} for the query at 128 and"
        f" {rounded(share[8192][0], 2)} for the one at 8\u202f192."
    )


def test_the_view_says_which_curve_lies_under_another():
    view = fire.views["shares"]
    assert "512 share one curve: 128 under 512." in view.compute(Fire(threshold=512.0)).subtitle
    assert "share" not in view.compute(Fire(threshold=511.0)).subtitle
    longer = view.compute(Fire(threshold=2048.0))
    assert "128, 512 under 2\u202f048." in longer.subtitle
    known = np.isfinite(longer.values[0])
    np.testing.assert_array_equal(longer.values[0][known], longer.values[2][known])
