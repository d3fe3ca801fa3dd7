"""Pictures of what few bits do to the code: the values of rows and curves, and their words."""

import struct

import numpy as np
import posenc.catalog  # noqa: F401  (fills the registry)
import pytest
from posenc.catalog.sinusoidal import Sinusoidal
from posenc.registry import REGISTRY

VIEWS = REGISTRY["sinusoidal"].views


def in_bfloat16(number):
    """Oracle: the upper half of a float32, rounded to nearest even by its bits."""
    bits = struct.unpack("<I", struct.pack("<f", number))[0]
    bits += 0x7FFF + (bits >> 16 & 1)
    return struct.unpack("<f", struct.pack("<I", bits >> 16 << 16))[0]


def test_rows_of_rounded_positions_are_the_rows_of_the_rounded_numbers():
    encoding = Sinusoidal(d_model=6)
    data = VIEWS["rounded-positions"].compute(encoding, start=1000, positions=64)
    exact, melted = data.panels
    held = [in_bfloat16(position) for position in range(1000, 1064)]
    np.testing.assert_array_equal(exact.values, encoding.encode(np.arange(1000.0, 1064)))
    np.testing.assert_array_equal(melted.values, encoding.encode(np.array(held)))
    np.testing.assert_array_equal(data.values, melted.values)
    assert data.summary == {"distinct": len(set(held)), "beyond_range": 0}
    most = max(sorted(set(held)), key=held.count)
    assert f"all become 1\u202f{most - 1000:03.0f}: {held.count(most)} rows" in data.finding


def test_positions_that_a_dtype_holds_are_left_alone():
    data = VIEWS["rounded-positions"].compute(Sinusoidal(d_model=4), dtype="float32")
    np.testing.assert_array_equal(data.panels[0].values, data.panels[1].values)
    assert data.summary["distinct"] == 64
    assert "a number of its own" in data.finding


@pytest.mark.parametrize(("start", "lost"), [(65_500, 20), (66_000, 40)])
def test_beyond_the_range_of_float16_there_is_no_code(start, lost):
    data = VIEWS["rounded-positions"].compute(
        Sinusoidal(d_model=4), dtype="float16", start=start, positions=40
    )
    assert np.isnan(data.panels[1].values[:, 0]).sum() == lost
    assert f"{lost} have no code at all" in data.finding
    assert ("float16 ends before these positions" in data.finding) == (lost == 40)
    assert data.panels[1].masked


@pytest.mark.parametrize("dtype", ["float32", "float16"])
def test_the_error_of_angles_is_that_of_numpy(dtype):
    encoding = Sinusoidal(d_model=32)
    data = VIEWS["precision"].compute(encoding, reach=60_000)
    row, at = data.series.index(dtype), data.x.values
    with np.errstate(over="ignore"):
        held = at.astype(dtype)[:, None] * encoding.inv_freq.astype(dtype)
    found = np.exp(1j * held.astype(np.float64)) - np.exp(1j * at[:, None] * encoding.inv_freq)
    errors = np.maximum(np.abs(found.real), np.abs(found.imag)).max(axis=1)
    shown = ~np.isnan(data.values[row])
    np.testing.assert_allclose(data.values[row][shown], errors[shown], rtol=1e-6)
    assert (errors[~shown] < 1e-8).all()


def test_the_error_of_the_result_does_not_grow_and_far_float16_angles_are_none():
    rounded_last = VIEWS["precision"].compute(Sinusoidal(d_model=64), stage="result")
    assert (rounded_last.values.max(axis=1) < [4e-8, 3e-4, 2.1e-3]).all()
    rounded_first = VIEWS["precision"].compute(Sinusoidal(d_model=64))
    assert np.isnan(rounded_first.values[1, -1])
    assert "no number at all in float16" in rounded_first.finding
    assert set(rounded_first.summary) == {"float32", "bfloat16"}
