"""Turning pairs: against complex numbers one by one, with gradients, in every layout."""

import cmath
import math

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from posenc.errors import ParameterError
from posenc.rotation import turn_pairs

pytestmark = pytest.mark.torch

PAIRINGS = pytest.mark.parametrize("pairing", ["adjacent", "half-split"])


def normal(*shape, seed=0):
    return np.random.default_rng(seed).normal(size=shape)


def waves(*shape, seed=1):
    angles = np.random.default_rng(seed).uniform(-9, 9, size=shape)
    return np.cos(angles), np.sin(angles)


def turned_one_by_one(x, cos, sin, pairing):
    """Oracle: every pair of every row is one Python complex number times another."""
    pairs, out = cos.shape[-1], x.copy()
    cos, sin = (np.broadcast_to(wave, (*x.shape[:-1], pairs)) for wave in (cos, sin))
    for row in np.ndindex(*x.shape[:-1]):
        for i in range(pairs):
            a, b = (2 * i, 2 * i + 1) if pairing == "adjacent" else (i, i + pairs)
            angle = math.atan2(sin[row][i], cos[row][i])
            z = complex(x[row][a], x[row][b]) * cmath.exp(1j * angle)
            out[row][a], out[row][b] = z.real, z.imag
    return out


SHAPES = [
    ((5, 8), (5, 4)),
    ((2, 3, 5, 8), (5, 4)),
    ((2, 3, 5, 8), (2, 1, 5, 4)),
    ((3, 5, 8), (5, 3)),  # two columns stay
    ((3, 5, 9), (5, 3)),  # and an odd number of columns
    ((5, 8), (5, 0)),
    ((2, 0, 8), (0, 4)),
]


@PAIRINGS
@pytest.mark.parametrize(("shape", "of_waves"), SHAPES)
def test_rotation_agrees_with_complex_numbers(shape, of_waves, pairing):
    x, (cos, sin) = normal(*shape), waves(*of_waves)
    expected = turned_one_by_one(x, cos, sin, pairing)
    np.testing.assert_allclose(
        turn_pairs(x, cos, sin, pairing=pairing), expected, rtol=0, atol=4e-15
    )
    theirs = turn_pairs(*(torch.from_numpy(one) for one in (x, cos, sin)), pairing=pairing)
    np.testing.assert_allclose(theirs.numpy(), expected, rtol=0, atol=4e-15)


@PAIRINGS
def test_columns_that_lie_anywhere_in_memory(pairing):
    wide = torch.from_numpy(normal(4, 5, 19))
    cos, sin = (torch.from_numpy(wave) for wave in waves(5, 4))
    for x in (
        wide[..., 1:9],
        wide[..., 2:10],
        wide[..., 1:17:2],
        wide[:, :, :8].mT.contiguous().mT,
    ):
        expected = turn_pairs(x.clone(), cos, sin, pairing=pairing)
        torch.testing.assert_close(turn_pairs(x, cos, sin, pairing=pairing), expected)
        ours = turn_pairs(x.numpy(), cos.numpy(), sin.numpy(), pairing=pairing)
        np.testing.assert_allclose(ours, expected.numpy(), rtol=0, atol=4e-15)


@PAIRINGS
def test_gradients_of_every_order_pass(pairing):
    cos, sin = (torch.from_numpy(wave) for wave in waves(4, 3))
    x = torch.from_numpy(normal(2, 4, 7)).requires_grad_()
    learned = cos.clone().requires_grad_()

    def turned(x, cos):
        return turn_pairs(x, cos, sin, pairing=pairing)

    assert torch.autograd.gradcheck(turned, (x, learned))
    assert torch.autograd.gradgradcheck(turned, (x, learned))


@pytest.mark.filterwarnings("ignore:There is a performance drop", "ignore:Dynamo detected")
@PAIRINGS
def test_torch_s_transforms_see_through_it(pairing):
    cos, sin = (torch.from_numpy(wave) for wave in waves(4, 3))
    x, direction = torch.from_numpy(normal(2, 6, 4, 6)).unbind(0)

    def turned(x):
        return turn_pairs(x, cos, sin, pairing=pairing)

    expected = turned(x)
    torch.testing.assert_close(torch.func.vmap(turned)(x), expected)
    _, moved = torch.func.jvp(turned, (x,), (direction,))
    torch.testing.assert_close(moved, turned(direction))  # a rotation is linear
    pulled = torch.func.grad(lambda x: (turned(x) * expected).sum())(x)
    torch.testing.assert_close(pulled, x)  # and turning back undoes it
    torch.testing.assert_close(torch.compile(turned, backend="eager")(x), expected)


@given(st.integers(1, 6), st.sampled_from(["adjacent", "half-split"]), st.integers(0, 2**31))
def test_lengths_are_kept_and_turning_back_undoes_it(pairs, pairing, seed):
    x, (cos, sin) = normal(3, 2 * pairs, seed=seed), waves(3, pairs, seed=seed)
    turned = turn_pairs(x, cos, sin, pairing=pairing)
    np.testing.assert_allclose(np.linalg.norm(turned, axis=-1), np.linalg.norm(x, axis=-1))
    back = turn_pairs(turned, cos, -sin, pairing=pairing)
    np.testing.assert_allclose(back, x, rtol=0, atol=1e-14)


@pytest.mark.parametrize("shape", [(4, 4), (5, 5), (2, 5, 4), (3, 1, 1, 4)])
def test_waves_that_do_not_fit_are_refused(shape):
    with pytest.raises(ParameterError, match=r"^cos=<ndarray of shape"):
        turn_pairs(np.ones((3, 5, 8))[1], np.ones(shape), np.ones(shape), pairing="adjacent")
    with pytest.raises(ParameterError, match=r"^sin=<ndarray of shape"):
        turn_pairs(np.ones((5, 8)), np.ones((5, 4)), np.ones((5, 3)), pairing="adjacent")


@pytest.mark.parametrize(
    ("cos", "sin", "message"),
    [
        (np.ones((5, 4)), np.ones((5, 4)), "^cos=.*must be from the same library as x"),
        (torch.ones(5, 4), np.ones((5, 4)), "^sin=.*must be from the same library as x"),
        (torch.ones(5, 4), torch.ones(5, 4).double(), "^sin=.*of torch.float32, as cos is"),
        (torch.ones(5, 4).int(), torch.ones(5, 4), "^cos=.*must hold floating-point numbers"),
        ("cos", torch.ones(5, 4), "^cos=cos: must be a numpy array or torch tensor"),
    ],
)
def test_waves_of_another_kind_than_x_are_refused(cos, sin, message):
    with pytest.raises(ParameterError, match=message):
        turn_pairs(torch.ones(5, 8), cos, sin, pairing="adjacent")


@pytest.mark.parametrize("x", [np.float32, torch.float32, 3, None, np.ones((5, 8), int)])
def test_anything_but_an_array_of_numbers_is_refused(x):
    with pytest.raises(ParameterError, match=r"^x="):
        turn_pairs(x, np.ones((5, 4)), np.ones((5, 4)), pairing="adjacent")


def test_a_pairing_that_is_none_is_refused():
    with pytest.raises(ParameterError, match="pairing=both: must be adjacent or half-split"):
        turn_pairs(np.ones((5, 8)), np.ones((5, 4)), np.ones((5, 4)), pairing="both")


@PAIRINGS
@pytest.mark.parametrize("of_waves", [torch.float32, torch.float64])
@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float32, torch.float64])
def test_without_a_pair_every_column_stays(pairing, dtype, of_waves):
    x, none = torch.ones(2, 3, 4, dtype=dtype), torch.ones(3, 0, dtype=of_waves)
    for turned in (
        turn_pairs(x, none, none, pairing=pairing),
        turn_pairs(x.clone().requires_grad_(), none, none, pairing=pairing),
    ):
        assert torch.equal(turned, x)
        assert turned.dtype == dtype
