"""The closest two codes: the short cut against every pair, and the numbers of the course."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from posenc.analysis import closest_positions
from posenc.catalog.sinusoidal import Sinusoidal
from posenc.errors import ParameterError


def closest_by_pairs(codes):
    """Oracle: every pair with Python's own distance."""
    pairs = [(i, j) for i in range(len(codes)) for j in range(i + 1, len(codes))]
    return min(math.dist(codes[i], codes[j]) for i, j in pairs)


@given(st.integers(1, 6), st.floats(2, 1e5), st.integers(2, 40))
def test_offsets_are_as_good_as_pairs(pairs, base, length):
    encoding = Sinusoidal(d_model=2 * pairs, base=base)
    codes = encoding.table(length)
    quick = closest_positions(encoding.inv_freq, length)
    assert quick.distance == pytest.approx(closest_by_pairs(codes), rel=1e-9, abs=1e-12)
    assert math.dist(codes[quick.first], codes[quick.second]) == pytest.approx(
        quick.distance, rel=1e-9, abs=1e-12
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("d_model", "base", "length", "distance", "offset"),
    [
        (64, 100, 10_000, 1.95, 1),
        (64, 10, 5_000, 2.66, 1),
        (64, 10_000, 1_000_000, 1.47, 1),
        (4, 100, 10_000, 6e-4, 7100),
        (2, 100, 10_000, 6e-5, 710),
    ],
)
def test_the_closest_pairs_of_the_course(d_model, base, length, distance, offset):
    """710 radians are 113 turns and 6e-5; 355/113 is close to pi."""
    found = closest_positions(Sinusoidal(d_model=d_model, base=base).inv_freq, length)
    assert found.distance == pytest.approx(distance, rel=0.012)
    assert found.second - found.first == offset


@pytest.mark.parametrize(
    ("call", "argument"),
    [
        (lambda: closest_positions([1.0], 1), "length"),
        (lambda: closest_positions([1.0], 2**40), "length"),
        (lambda: closest_positions([1.0], 3.0), "length"),
        (lambda: closest_positions([[1.0]], 3), "inv_freq"),
    ],
)
def test_arguments_that_cannot_be_used_are_refused_by_name(call, argument):
    with pytest.raises(ParameterError) as caught:
        call()
    assert caught.value.argument == argument
