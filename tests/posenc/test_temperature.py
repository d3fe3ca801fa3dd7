"""Temperatures of queries: the numbers of each formula, and that only scores change."""

import doctest
import math

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from posenc.errors import ParameterError
from posenc.stack import Temperature
from posenc.stack import temperature as module

pytestmark = pytest.mark.torch

POSITIONS = st.lists(st.integers(0, 200_000), min_size=1, max_size=5)


def by_hand(kind, strength, length, position):
    """Oracle: one number, by whole division instead of a floor."""
    if kind == "ssmax":
        return strength * math.log(position + 1)
    steps = (position + 1) // length if kind == "llama4" else position // length
    return 1 + strength * math.log1p(steps)


@given(
    st.sampled_from(["llama4", "ministral3", "ssmax"]),
    st.floats(0, 2),
    st.integers(1, 20_000),
    POSITIONS,
)
def test_factors_are_those_of_each_formula(kind, strength, length, positions):
    temperature = Temperature(kind, strength, length)
    expected = [by_hand(kind, strength, length, position) for position in positions]
    ours = temperature.at(np.array(positions))
    np.testing.assert_allclose(ours, expected, rtol=1e-12, atol=1e-15)
    np.testing.assert_allclose(temperature.at(torch.tensor(positions)), ours, rtol=1e-15)


def test_the_numbers_of_released_models():
    assert doctest.testmod(module).failed == 0
    ministral = Temperature("ministral3", 0.1, 16_384)
    at = ministral.at(np.array([0, 16_383, 16_384]))
    np.testing.assert_allclose(at, [1, 1, 1.069315], atol=5e-7)


@given(st.sampled_from(["llama4", "ministral3", "ssmax"]), POSITIONS)
def test_no_factor_falls_with_the_position(kind, positions):
    factors = Temperature(kind).at(np.array(sorted(positions)))
    assert (np.diff(factors) >= 0).all()


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, torch.float64])
def test_queries_keep_their_type_and_scores_are_multiplied(dtype):
    q, at = torch.ones(2, 3, 4, 8, dtype=dtype), torch.tensor([[0, 1, 2, 3], [5, 6, 7, 8]])
    warm = Temperature("llama4", 1.0, 4).on_queries(q, at)
    assert warm.dtype == dtype
    expected = Temperature("llama4", 1.0, 4).at(at).to(dtype)
    assert (warm == expected[:, None, :, None]).all()


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda: Temperature("warm"), "kind"),
        (lambda: Temperature(strength=-1), "strength"),
        (lambda: Temperature(length=0), "length"),
        (lambda: Temperature().at([1, 2]), "positions"),
        (lambda: Temperature().on_queries(np.ones(3), np.arange(3)), "q"),
        (lambda: Temperature().on_queries(np.ones((3, 2)), np.arange(2)), "positions"),
        (lambda: Temperature().on_queries(np.ones((3, 2)), torch.arange(3)), "positions"),
    ],
)
def test_arguments_that_cannot_be_used_are_refused_by_name(call, name):
    with pytest.raises(ParameterError) as caught:
        call()
    assert caught.value.argument == name
