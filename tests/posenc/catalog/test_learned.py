"""Learned position embedding: a row for each position, and an error beyond the table."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from posenc.catalog.learned import Learned, learned
from posenc.errors import ParameterError, named

pytestmark = pytest.mark.torch


def one_hot_oracle(x, positions, table):
    """Oracle: multiply the table by rows that are 1 at their position and 0 elsewhere."""
    hot = (np.arange(len(table)) == np.asarray(positions)[..., None]).astype(float)
    return x + hot @ table


@given(st.integers(1, 12), st.integers(1, 6), st.integers(0, 99), st.booleans())
def test_adds_the_row_of_each_position(max_len, d_model, seed, batched):
    encoding, rng = Learned(max_len=max_len, d_model=d_model), np.random.default_rng(seed)
    weights = encoding.init_weights(rng)
    x = rng.normal(size=(2, 5, d_model))
    positions = rng.integers(0, max_len, size=(2, 5) if batched else 5)
    actual = encoding.on_embeddings(x, positions, weights)
    expected = one_hot_oracle(x, positions, weights["table"])
    np.testing.assert_allclose(actual, expected, rtol=0, atol=1e-15)


def test_its_facts():
    assert Learned.hooks() == ("on_embeddings",)
    assert Learned(max_len=512, d_model=768).parameter_count() == 512 * 768
    assert Learned.extrapolates is False
    table = Learned(max_len=400, d_model=50).init_weights(np.random.default_rng(0))["table"]
    assert table.std() == pytest.approx(0.02, rel=0.02)


def test_the_gradient_of_a_row_is_the_number_of_times_it_was_read():
    table = torch.zeros(5, 3, requires_grad=True)
    x = torch.zeros(4, 3)
    positions = torch.tensor([0, 2, 2, 3])
    Learned(max_len=5, d_model=3).on_embeddings(x, positions, {"table": table}).sum().backward()
    assert table.grad[:, 0].tolist() == [1, 0, 2, 1, 0]


@pytest.mark.parametrize(("position", "value"), [(7, "7"), (8, "8"), (-1, "-1"), (2**40, "1099")])
def test_a_position_without_a_row_is_refused(position, value):
    encoding = Learned(max_len=7, d_model=2)
    weights = encoding.init_weights(np.random.default_rng(0))
    for positions in (np.array([0, position]), torch.tensor([0, position])):
        like = torch.from_numpy if isinstance(positions, torch.Tensor) else np.asarray
        given_so = {"table": like(weights["table"])}
        with pytest.raises(
            ParameterError, match=rf"^positions={value}\d*: must be between 0 and 6"
        ):
            encoding.on_embeddings(like(np.zeros((2, 2))), positions, given_so)


def test_the_last_row_can_be_read():
    encoding = Learned(max_len=7, d_model=2)
    weights = encoding.init_weights(np.random.default_rng(0))
    out = encoding.on_embeddings(np.zeros((1, 2)), np.array([6]), weights)
    np.testing.assert_array_equal(out[0], weights["table"][6])


@pytest.mark.parametrize(
    ("x", "positions", "argument"),
    [
        (np.zeros((3, 5)), np.arange(3), "x"),
        (np.zeros((3, 4)), np.arange(4), "positions"),
        (np.zeros((3, 4)), np.array([0.0, 0.5, 1.0]), "positions"),
        (np.zeros((3, 4)), np.arange(3).reshape(3, 1), "positions"),
        (np.zeros((3, 4), dtype=int), np.arange(3), "x"),
    ],
)
def test_embeddings_that_do_not_fit_are_refused(x, positions, argument):
    encoding = Learned(max_len=9, d_model=4)
    with pytest.raises(ParameterError) as caught:
        encoding.on_embeddings(x, positions, encoding.init_weights(np.random.default_rng(0)))
    assert caught.value.argument == argument


def test_the_view_shows_cosines_of_rows():
    data = learned.views["similarity"].compute(Learned(max_len=40, d_model=16), rows=20)
    np.testing.assert_allclose(np.diag(data.values), 1, rtol=0, atol=1e-15)
    np.testing.assert_allclose(data.values, data.values.T, rtol=0, atol=1e-15)
    short = learned.views["similarity"].compute(Learned(max_len=1, d_model=16), rows=20)
    assert short.values.shape == (1, 1)
    assert "no row for position 1." in short.finding


@pytest.mark.parametrize("position", [-1, 9, 2**40])
def test_a_position_beyond_the_table_is_an_index_error_under_any_name(position):
    encoding = Learned(max_len=9, d_model=4)
    weights, at = encoding.init_weights(np.random.default_rng(0)), np.array([position])
    with pytest.raises(IndexError) as caught, named(positions="at"):
        encoding.on_embeddings(np.zeros((1, 4)), at, weights)
    assert isinstance(caught.value, ParameterError)
    assert str(caught.value) == f"at={position}: must be between 0 and 8: the table ends there"
