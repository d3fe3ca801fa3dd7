"""What is new in a long text: turns counted, shifts fitted, reach."""

import math

import numpy as np
import pytest
from posenc.analysis import (
    reach,
    shift_error,
    turns,
)
from posenc.catalog.alibi import Alibi
from posenc.catalog.rope import Rope
from posenc.catalog.sinusoidal import Sinusoidal
from posenc.errors import ParameterError


def test_the_full_turns_of_the_course():
    """COURSE: 41 of 64 pairs turn within 2 048 positions, 50 within 8 192 (D = 128)."""
    inv_freq = Rope(head_dim=128).inv_freq
    assert [int(np.sum(turns(inv_freq, length) >= 1)) for length in (2048, 8192)] == [41, 50]
    assert turns([2 * math.pi], 7) == pytest.approx([7])


def test_one_matrix_shifts_sines_and_no_matrix_shifts_random_rows():
    """COURSE: shift by 13, residual 4e-14 against 109 % for random (learned-like) vectors."""
    assert shift_error(Sinusoidal(d_model=64).table(1000), 13) < 1e-13
    random = np.random.default_rng(0).normal(size=(1000, 64))
    assert shift_error(random, 13) == pytest.approx(1.07, abs=0.06)
    assert shift_error(random, 0) < 1e-12


def test_a_code_whose_sine_and_cosine_differ_in_frequency_has_no_shift():
    """COURSE: the copied blog code, cos with an exponent of its own."""
    table = Sinusoidal(d_model=64).table(1000)
    slower = 10_000.0 ** (-2 * (np.arange(32) + 1) / 64)
    table[:, 1::2] = np.cos(np.multiply.outer(np.arange(1000), slower))
    assert shift_error(table, 13) > 1e-3


def test_the_reach_of_alibi_in_the_course():
    """COURSE: 10 nats at distance 20 for the steepest of 8 heads, 2 560 for the flattest."""
    distances = reach(Alibi(n_heads=8).slopes, 10)
    assert (distances[0], distances[-1]) == (20, 2560)


@pytest.mark.parametrize(
    ("call", "argument"),
    [
        (lambda: turns([1.0], 0), "length"),
        (lambda: turns([1.0], 2.5), "length"),
        (lambda: shift_error(np.ones((10, 8)), 1), "offset"),
        (lambda: shift_error(np.ones((10, 2)), -1), "offset"),
        (lambda: shift_error(np.ones(10), 1), "codes"),
        (lambda: reach([0.5, 0.0], 10), "slopes"),
        (lambda: reach([0.5], np.inf), "nats"),
    ],
)
def test_arguments_that_cannot_be_used_are_refused_by_name(call, argument):
    with pytest.raises(ParameterError) as caught:
        call()
    assert caught.value.argument == argument
