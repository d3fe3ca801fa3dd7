"""KERPLE: the kernels in plain Python, and what makes them kernels."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from posenc.catalog.kerple import Kerple, kerple

KERNELS = st.sampled_from(["logarithmic", "power"])
LEARNED = st.lists(st.floats(-1, 4), min_size=3, max_size=3)
POSITIONS = st.one_of(
    st.integers(-50, 50).map(lambda start: np.arange(start, start + 4)),
    st.lists(st.integers(-99, 99), min_size=1, max_size=5).map(np.array),
    st.lists(st.floats(-99, 99), min_size=1, max_size=5).map(np.array),
)


def bias_by_hand(kernel, p, a, distance):
    """Oracle: one number, after the bounds of the authors' code."""
    p, a = max(p, 0.01), max(a, 0.01)
    if kernel == "logarithmic":
        return -p * math.log(1 + a * distance)
    return -a * distance ** min(p, 2)


@given(KERNELS, LEARNED, LEARNED, POSITIONS, POSITIONS)
def test_agrees_with_the_kernels_by_hand(kernel, p, a, q_at, k_at):
    weights = {"p": np.array(p), "a": np.array(a)}
    bias = Kerple(n_heads=3, kernel=kernel).bias(q_at, k_at, weights)
    for head in range(3):
        expected = [
            [bias_by_hand(kernel, p[head], a[head], abs(j - i)) for j in k_at] for i in q_at
        ]
        np.testing.assert_allclose(bias[head], expected, rtol=1e-12, atol=1e-14)


@given(KERNELS, st.floats(0.01, 2), st.floats(0.01, 4))
def test_the_bias_falls_with_the_distance_and_is_a_kernel(kernel, p, a):
    """Conditionally positive definite: x^T K x >= 0 whenever the x sum to 0."""
    positions, weights = np.arange(12), {"p": np.array([p]), "a": np.array([a])}
    K = Kerple(n_heads=1, kernel=kernel).bias(positions, positions, weights)[0]
    assert (np.diff(K[0]) < 0).all()
    centre = np.eye(12) - 1 / 12
    assert np.linalg.eigvalsh(centre @ K @ centre).min() > -1e-9 * max(1, np.abs(K).max())


def test_a_power_of_one_is_alibi():
    weights = {"p": np.ones(2), "a": np.array([0.5, 0.25])}
    bias = Kerple(n_heads=2, kernel="power").bias(np.arange(5), np.arange(5), weights)
    distances = np.abs(np.arange(5) - np.arange(5)[:, None])
    np.testing.assert_allclose(bias, -np.multiply.outer([0.5, 0.25], distances), rtol=1e-15)


def test_its_facts():
    assert Kerple.hooks() == ("on_scores",)
    assert Kerple(n_heads=12).parameter_count() == 24
    assert Kerple.extrapolates
    drawn = Kerple(n_heads=4000).init_weights(np.random.default_rng(0))
    assert (drawn["p"].min(), drawn["p"].max()) == pytest.approx((0, 2), abs=0.01)
    assert (drawn["a"].min(), drawn["a"].max()) == pytest.approx((0, 1), abs=0.01)


def test_the_view_compares_with_a_line_of_the_same_first_step():
    data = kerple.views["bias"].compute(Kerple(), p=1.0, a=1.0, reach=127)
    assert data.values[:, 0].tolist() == [0, 0]
    np.testing.assert_allclose(data.values[:, 1], -math.log(2))
    np.testing.assert_allclose(data.values[:, -1], [-math.log(128), -127 * math.log(2)])
    assert data.finding == (
        "Both lose 0.693 at distance 1; at distance 127 the kernel has lost 4.85, the line 88."
    )
