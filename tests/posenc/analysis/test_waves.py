"""Waves: the shift matrix, dot products and means, against tables of codes and brute force."""

import math

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from posenc.analysis import (
    dot_products,
    kept_by_mean,
    mean_waves,
    rises,
    shift_matrix,
    sign_changes,
    wavelengths,
)
from posenc.catalog.sinusoidal import Sinusoidal
from posenc.errors import ParameterError

pytestmark = pytest.mark.torch

EVEN = st.integers(1, 24).map(lambda pairs: 2 * pairs)
OFFSETS = st.floats(-500, 500)
LAYOUTS = st.sampled_from(["interleaved", "concatenated"])


@given(EVEN, OFFSETS, st.floats(0, 5000), LAYOUTS)
def test_the_shift_matrix_moves_a_code(d_model, offset, position, layout):
    encoding = Sinusoidal(d_model=d_model, layout=layout)
    here, there = encoding.encode(np.array([position, position + offset]))
    moved = shift_matrix(encoding.inv_freq, offset, layout=layout) @ here
    np.testing.assert_allclose(moved, there, rtol=0, atol=4e-12)


@given(EVEN, OFFSETS, OFFSETS, LAYOUTS)
def test_shifts_are_rotations_and_add_up(d_model, one, other, layout):
    inv_freq = Sinusoidal(d_model=d_model).inv_freq
    M, N = (shift_matrix(inv_freq, offset, layout=layout) for offset in (one, other))
    both = shift_matrix(inv_freq, one + other, layout=layout)
    np.testing.assert_allclose(M @ M.T, np.eye(d_model), rtol=0, atol=1e-15)
    np.testing.assert_allclose(M @ N, both, rtol=0, atol=1e-12)
    assert np.linalg.det(M) == pytest.approx(1)
    assert np.count_nonzero(M) <= 2 * d_model


@given(EVEN, st.integers(0, 3000), st.integers(-200, 200))
def test_dot_products_equal_the_dot_products_of_codes(d_model, position, offset):
    encoding = Sinusoidal(d_model=d_model)
    one, other = encoding.encode(np.array([position, position + offset]))
    products = dot_products(encoding.inv_freq, [offset, -offset, 0])
    assert products[0] == pytest.approx(one @ other, abs=1e-10)
    assert products[1] == products[0]
    assert products[2] == d_model / 2


def test_the_dot_products_of_the_course():
    inv_freq = Sinusoidal(d_model=512).inv_freq
    at = [0, 1, 2, 5, 10, 50, 100, 1000, 5000]
    expected = [256, 249, 232, 190, 174, 131, 112, 45, -6]
    assert dot_products(inv_freq, at) == pytest.approx(expected, abs=0.51)
    risen = rises(dot_products(inv_freq, range(200)))
    assert risen[0] == 44
    assert len(risen) == 54
    small = dot_products(Sinusoidal(d_model=128).inv_freq, [7, -7])
    assert small == pytest.approx([46.8218, 46.8218], abs=5e-5)


def test_wavelengths_are_one_turn_of_the_angle():
    encoding = Sinusoidal(d_model=50)
    np.testing.assert_allclose(wavelengths(encoding.inv_freq), encoding.wavelengths, rtol=1e-15)
    assert wavelengths(encoding.inv_freq)[[3, 6, 24]] == pytest.approx([18.97, 57.30, 43_469], 3e-4)
    assert wavelengths([0.0, -1.0]).tolist() == [math.inf, 2 * math.pi]


def test_the_zero_crossings_of_the_course():
    table = Sinusoidal(d_model=512).table(1000)
    assert [sign_changes(table[:, column]) for column in (0, 100, 510)] == [317, 52, 0]
    assert sign_changes([0, 1, 0, 2, -1, 0, -1, 0, 3]) == 2
    assert sign_changes([]) == 0


@given(
    st.lists(st.floats(-4, 7), min_size=1, max_size=5),
    st.lists(st.integers(-1000, 50_000), min_size=1, max_size=4),
    st.integers(1, 300),
)
def test_means_agree_with_brute_force(inv_freq, starts, count):
    """Frequencies of whole turns a token included, which are kept whole."""
    sines, cosines = mean_waves(inv_freq, starts, count)
    for row, start in enumerate(starts):
        angles = np.multiply.outer(np.arange(start, start + count), np.array(inv_freq))
        np.testing.assert_allclose(sines[row], np.sin(angles).mean(axis=0), rtol=0, atol=5e-10)
        np.testing.assert_allclose(cosines[row], np.cos(angles).mean(axis=0), rtol=0, atol=5e-10)


def test_the_means_of_figure_5_are_exact():
    inv_freq = Sinusoidal(d_model=50).inv_freq
    starts = np.arange(0, 45_000, 67)
    counts = np.minimum(67, 45_000 - starts)
    sines, cosines = mean_waves(inv_freq, starts, counts)
    codes = np.multiply.outer(np.arange(45_000), inv_freq)
    for means, wave in ((sines, np.sin), (cosines, np.cos)):
        brute = np.add.reduceat(wave(codes), starts, axis=0) / counts[:, None]
        np.testing.assert_allclose(means, brute, rtol=0, atol=4e-13)


@pytest.mark.parametrize("turns", [-1, 0, 1, 2])
def test_a_wave_that_turns_whole_turns_a_token_is_kept_whole(turns):
    for count in (1, 2, 3, 67):
        assert kept_by_mean([2 * math.pi * turns], count)[0] * math.cos(
            math.pi * turns * (count - 1)
        ) == pytest.approx(1, abs=1e-6)


@given(st.floats(1e-6, 1), st.integers(1, 2000))
def test_a_mean_keeps_no_more_than_all(frequency, count):
    kept = kept_by_mean([frequency], count)
    assert abs(kept[0]) <= 1 + 1e-12
    assert kept_by_mean([frequency], 1)[0] == pytest.approx(1)


@pytest.mark.parametrize(
    ("call", "argument"),
    [
        (lambda: wavelengths([[1.0]]), "inv_freq"),
        (lambda: wavelengths([]), "inv_freq"),
        (lambda: wavelengths([np.nan]), "inv_freq"),
        (lambda: wavelengths(["a"]), "inv_freq"),
        (lambda: wavelengths([[1.0], [1.0, 2.0]]), "inv_freq"),
        (lambda: wavelengths([True]), "inv_freq"),
        (lambda: shift_matrix([1.0], np.inf), "offset"),
        (lambda: shift_matrix([1.0], [1.0]), "offset"),
        (lambda: shift_matrix([1.0], 1, layout="mixed"), "layout"),
        (lambda: shift_matrix([1.0], 1, layout=np.ones(3)), "layout"),
        (lambda: wavelengths(torch.ones(3, requires_grad=True)), "inv_freq"),
        (lambda: dot_products([1.0], 3), "offsets"),
        (lambda: mean_waves([1.0], [0, 1], [1, 2, 3]), "counts"),
        (lambda: mean_waves([1.0], [0], 0), "counts"),
        (lambda: kept_by_mean([1.0], 1.5), "counts"),
        (lambda: rises([[1.0]]), "values"),
    ],
)
def test_arguments_that_cannot_be_used_are_refused_by_name(call, argument):
    with pytest.raises(ParameterError) as caught:
        call()
    assert caught.value.argument == argument
