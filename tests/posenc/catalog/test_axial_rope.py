"""Axial RoPE and positions of pictures: each axis as RoPE alone, each part by hand."""

import doctest

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from posenc.attention import attention
from posenc.catalog.rope import Rope
from posenc.catalog.rope_2d import AxialRope, parts, positions_of
from posenc.errors import ParameterError

pytestmark = pytest.mark.torch

AXES = st.lists(st.integers(1, 4).map(lambda pairs: 2 * pairs), min_size=1, max_size=3)


def of(axes, **other):
    return AxialRope(head_dim=sum(axes), axes=tuple(axes), **other)


@given(AXES, st.floats(2, 1e6), st.integers(0, 99))
def test_each_axis_is_rope_of_its_own_dimensions(axes, base, seed):
    rng = np.random.default_rng(seed)
    x, at = rng.normal(size=(2, 5, sum(axes))), rng.integers(-9, 99, size=(len(axes), 5))
    ours, start = of(axes, base=base).rotate(x, at), 0
    for axis, width in enumerate(axes):
        columns = slice(start, start + width)
        alone = Rope(head_dim=width, base=base).rotate(x[..., columns], at[axis])
        np.testing.assert_allclose(ours[..., columns], alone, rtol=0, atol=1e-15)
        start += width


def test_every_ladder_of_flux_begins_at_one_radian():
    flux = AxialRope()
    assert (flux.head_dim, flux.axes) == (128, (16, 56, 56))
    assert flux.inv_freq[[0, 8, 36]].tolist() == [1, 1, 1]
    assert flux.inv_freq[7] == pytest.approx(10_000 ** (-14 / 16), rel=1e-15)
    assert flux.inv_freq[63] == pytest.approx(10_000 ** (-54 / 56), rel=1e-15)


@given(AXES)
def test_scores_depend_on_the_offset_in_each_axis_alone(axes):
    ours, rng = of(axes), np.random.default_rng(0)
    x, at = rng.normal(size=(6, sum(axes))), rng.integers(0, 40, size=(len(axes), 6))
    shift = rng.integers(-9, 9, size=(len(axes), 1))
    here, there = ours.rotate(x, at), ours.rotate(x, at + shift)
    np.testing.assert_allclose(here @ here.T, there @ there.T, rtol=0, atol=1e-10)
    np.testing.assert_allclose(np.linalg.norm(here, axis=1), np.linalg.norm(x, axis=1), rtol=1e-14)


@pytest.mark.parametrize("layout", ["BHLD", "BLHD"])
def test_numpy_and_torch_attend_alike(layout):
    ours, rng = of([4, 2, 2]), np.random.default_rng(0)
    q, at = rng.normal(size=(2, 3, 5, 8)), rng.integers(0, 9, size=(3, 2, 5))
    heads = q if layout == "BHLD" else np.swapaxes(q, 1, 2)
    turned = ours.rotate(heads, at, layout=layout)
    theirs = ours.rotate(torch.from_numpy(heads.copy()), torch.from_numpy(at), layout=layout)
    np.testing.assert_allclose(theirs.numpy(), turned, rtol=0, atol=1e-15)
    positions = {"q_positions": at, "k_positions": at}
    mixed = attention(q, q, q, encoding=ours, **positions)
    tensors = {name: torch.from_numpy(array) for name, array in positions.items()}
    same = attention(*(torch.from_numpy(q),) * 3, encoding=ours, **tensors)
    np.testing.assert_allclose(same.numpy(), mixed, rtol=0, atol=1e-14)


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda: AxialRope(head_dim=8), "axes"),
        (lambda: AxialRope(head_dim=8, axes=(8, 0)), "axes"),
        (lambda: AxialRope(head_dim=8, axes=(5, 3)), "axes"),
        (lambda: AxialRope(head_dim=8, axes=(2, 2, 2, 2)), "axes"),
        (lambda: AxialRope(head_dim=8, axes="44"), "axes"),
        (lambda: AxialRope(head_dim=8, axes=(4.0, 4.0)), "axes"),
        (lambda: AxialRope(head_dim=10**9, axes=(10**9,)), "head_dim"),
        (lambda: of([4, 4]).rotate(np.ones((3, 6)), np.zeros((2, 3))), "x"),
        (lambda: of([4, 4]).rotate(np.ones((3, 8)), np.zeros((3, 3))), "positions"),
        (lambda: of([4, 4]).rotate(np.ones((3, 8)), np.zeros((2, 4))), "positions"),
        (lambda: of([4, 4]).rotate(np.ones((3, 8)), torch.zeros(2, 3)), "positions"),
        (lambda: of([4, 4]).order(np.full((2, 3), 0.5)), "positions"),
        (lambda: positions_of(3), "parts"),
        (lambda: positions_of([2, -1]), "parts[1]"),
        (lambda: positions_of([(1, 0, 3)]), "parts[0]"),
        (lambda: positions_of([(2, 3)]), "parts[0]"),
        (lambda: positions_of([True]), "parts[0]"),
        (lambda: positions_of(["2"]), "parts[0]"),
        (lambda: positions_of([(10**6, 10**6, 10**6)]), "parts"),
        (lambda: positions_of([10**12]), "parts[0]"),
    ],
)
def test_arguments_that_cannot_be_used_are_refused_by_name(call, name):
    with pytest.raises(ParameterError) as caught:
        call()
    assert caught.value.argument == name


def by_hand(listed):
    """Oracle: token by token; the next part begins behind the highest coordinate so far."""
    tokens = []
    for part in listed:
        start = 1 + max((max(token) for token in tokens), default=-1)
        if isinstance(part, int):
            tokens += [(start + i,) * 3 for i in range(part)]
            continue
        time, rows, columns = map(range, part)
        tokens += [(start + t, start + r, start + c) for t in time for r in rows for c in columns]
    return tokens


SIDES = st.integers(1, 4)


@given(st.lists(st.integers(0, 4) | st.tuples(SIDES, SIDES, SIDES), max_size=5))
def test_positions_of_parts_are_those_token_by_token(listed):
    ours = positions_of(listed)
    assert ours.shape[0] == 3
    assert list(zip(*ours.tolist(), strict=True)) == by_hand(listed)


def test_a_picture_advances_by_its_longer_side():
    assert doctest.testmod(parts).failed == 0
    time, rows, columns = positions_of([2, (1, 2, 3), 2]).tolist()
    assert time == [0, 1, 2, 2, 2, 2, 2, 2, 5, 6]
    assert rows[2:8] == [2, 2, 2, 3, 3, 3]
    assert columns[2:8] == [2, 3, 4, 2, 3, 4]
