"""What is new in a long text: turns and angles counted by brute force, shifts fitted."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from posenc.analysis import (
    beyond_seen,
    reach,
    score_by_distance,
    shift_error,
    turns,
    unseen_angles,
)
from posenc.catalog.alibi import Alibi
from posenc.catalog.rope import Rope
from posenc.catalog.sinusoidal import Sinusoidal
from posenc.errors import ParameterError

SLOW = st.lists(st.floats(1e-5, 3.0), min_size=1, max_size=4)


def test_the_full_turns_of_the_course():
    """COURSE: 41 of 64 pairs turn within 2 048 positions, 50 within 8 192 (D = 128)."""
    inv_freq = Rope(head_dim=128).inv_freq
    assert [int(np.sum(turns(inv_freq, length) >= 1)) for length in (2048, 8192)] == [41, 50]
    assert turns([2 * math.pi], 7) == pytest.approx([7])


@pytest.mark.slow
@given(SLOW, st.integers(2, 60), st.integers(1, 80))
def test_unseen_angles_agree_with_looking_at_each(inv_freq, trained, more):
    shares = unseen_angles(inv_freq, trained, trained + more)
    for frequency, share in zip(inv_freq, shares, strict=True):
        highest = frequency * (trained - 1)
        new = 0
        for distance in range(trained, trained + more):
            angle = math.remainder(distance * frequency - math.pi, 2 * math.pi) + math.pi
            whole_arc = highest >= 2 * math.pi - frequency
            new += not whole_arc and highest * (1 + 1e-6) < angle < 2 * math.pi * (1 - 1e-9)
        assert share == pytest.approx(new / more, abs=1.01 / more if frequency < 1e-3 else 1e-9)


def test_pairs_that_never_turned_are_all_new_and_fast_pairs_never():
    shares = unseen_angles(Rope(head_dim=128).inv_freq, 2048, 4096)
    finished = turns(Rope(head_dim=128).inv_freq, 2048) >= 1
    assert (shares[finished] == 0).all()
    assert (shares[-10:] == 1).all()
    assert (np.diff(shares[~finished]) >= 0).all()


def test_interpolation_leaves_nothing_new():
    """Chen et al.: positions divided by the factor stay inside the arc that was trained."""
    plain = Rope(head_dim=64)
    squeezed = Rope(head_dim=64, scaling="linear", factor=4.0)
    trained_arc = plain.inv_freq * (2048 - 1)
    assert (squeezed.inv_freq * (4 * 2048 - 4) <= trained_arc * (1 + 1e-12)).all()
    assert unseen_angles(plain.inv_freq, 2048, 8192).max() == 1


@given(st.lists(st.floats(-9, 9), min_size=1, max_size=20), st.integers(1, 20))
def test_beyond_seen_is_the_distance_to_the_range(values, trained):
    trained = min(trained, len(values))
    low, high = min(values[:trained]), max(values[:trained])
    expected = [max(low - value, value - high, 0) for value in values[trained:]]
    np.testing.assert_allclose(beyond_seen(values, trained), expected, rtol=0, atol=1e-15)


def test_alibi_leaves_the_range_it_was_trained_in():
    alibi, zero = Alibi(n_heads=2), np.zeros((2, 4))
    scores = score_by_distance(alibi, np.arange(128), q=zero, k=zero)
    new = beyond_seen(scores[0], 64)
    np.testing.assert_allclose(new, alibi.slopes[0] * np.arange(1, 65))


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
        (lambda: unseen_angles([1.0], 10, 10), "length"),
        (lambda: unseen_angles([1.0], 0, 10), "trained"),
        (lambda: unseen_angles([np.nan], 5, 10), "inv_freq"),
        (lambda: beyond_seen([1.0], 2), "trained"),
        (lambda: beyond_seen([[1.0]], 1), "values"),
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
