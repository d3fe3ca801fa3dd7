"""Fewer bits: against torch's own dtypes, and the numbers of the course."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from posenc.analysis import cast_error, distinct_positions, rounded_to
from posenc.catalog.sinusoidal import Sinusoidal
from posenc.errors import ParameterError

pytestmark = pytest.mark.torch

DTYPES = {
    "float64": torch.float64,
    "float32": torch.float32,
    "float16": torch.float16,
    "bfloat16": torch.bfloat16,
}
FEWER = sorted(set(DTYPES) - {"float64"})
WIDE = Sinusoidal(d_model=512).inv_freq


@pytest.mark.parametrize("dtype", DTYPES)
@given(values=st.lists(st.floats(width=32, allow_nan=False, allow_infinity=False), min_size=1))
def test_rounds_as_torch_does(dtype, values):
    """From float32: torch rounds a float64 to float32 first on its way to bfloat16."""
    expected = torch.tensor(values, dtype=torch.float32).to(DTYPES[dtype]).double().numpy()
    np.testing.assert_array_equal(rounded_to(values, dtype), expected)


def test_the_ends_of_bfloat16():
    largest = float(torch.finfo(torch.bfloat16).max)
    values = [largest, 1.001 * largest, 1.01 * largest, 2.0**-133, 2.0**-135, -(2.0**-126)]
    assert rounded_to(values, "bfloat16").tolist() == [
        largest,
        largest,
        np.inf,
        2.0**-133,
        0.0,
        -(2.0**-126),
    ]


@pytest.mark.parametrize("dtype", FEWER)
def test_the_error_of_angles_is_that_of_code_that_computes_them_so(dtype):
    positions = np.array([0, 1, 7, 100, 999, 4000])
    inv_freq = torch.from_numpy(WIDE.copy()).to(DTYPES[dtype])
    angles = (torch.tensor(positions).to(DTYPES[dtype])[:, None] * inv_freq).double().numpy()
    exact = np.multiply.outer(positions, WIDE)
    missed = np.maximum(
        np.abs(np.sin(angles) - np.sin(exact)).max(axis=1),
        np.abs(np.cos(angles) - np.cos(exact)).max(axis=1),
    )
    np.testing.assert_allclose(cast_error(WIDE, positions, dtype), missed, rtol=0, atol=1e-12)


def test_float32_angles_lose_about_9e_8_a_position():
    """COURSE: 2e-4 to 8e-4 at 10^4, about 1e-2 at 10^5, 4e-2 to 1e-1 at 10^6."""
    for farthest, low, high in ((10**4, 2e-4, 8e-4), (10**5, 4e-3, 1.1e-2), (10**6, 3e-2, 0.11)):
        positions = np.arange(farthest - 500, farthest + 1)
        worst = [
            cast_error(Sinusoidal(d_model=d_model).inv_freq, positions, "float32").max()
            for d_model in (64, 128, 512, 1024)
        ]
        assert low <= min(worst)
        assert max(worst) <= high


def test_bfloat16_angles_are_useless_from_position_1000():
    assert cast_error(WIDE, np.arange(101), "bfloat16").max() == pytest.approx(0.4, abs=0.06)
    assert cast_error(WIDE, np.arange(1001), "bfloat16").max() > 1.9


@pytest.mark.parametrize(
    ("dtype", "half_a_step"), [("float32", 3e-8), ("float16", 2.45e-4), ("bfloat16", 1.96e-3)]
)
def test_casting_last_loses_the_same_at_every_position(dtype, half_a_step):
    for farthest in (100, 10_000, 1_000_000):
        positions = np.arange(farthest - 100, farthest + 1)
        errors = cast_error(WIDE, positions, dtype, stage="result")
        assert errors.max() <= half_a_step
        assert errors.max() > half_a_step / 4


def test_float16_has_no_positions_from_65_520_on():
    errors = cast_error(WIDE, [65_504, 65_519, 65_520, 10**6], "float16")
    assert np.isnan(errors).tolist() == [False, False, True, True]


def test_distinct_positions_of_the_course():
    assert distinct_positions(5000, "float16") == 3299
    assert distinct_positions(5000, "bfloat16") == 797
    assert distinct_positions(5000, "float32") == 5000


@given(st.integers(1, 3000), st.sampled_from(FEWER))
def test_distinct_positions_equal_the_count_of_torch(length, dtype):
    held = torch.arange(length).to(DTYPES[dtype])
    assert distinct_positions(length, dtype) == len(torch.unique(held.double()))


@pytest.mark.parametrize(
    ("call", "argument"),
    [
        (lambda: rounded_to([1.0], "float8"), "dtype"),
        (lambda: rounded_to([np.nan], "float32"), "values"),
        (lambda: cast_error(WIDE, [1.0], "float32", stage="never"), "stage"),
        (lambda: cast_error(WIDE, [[1.0]], "float32"), "positions"),
        (lambda: distinct_positions(0, "float16"), "length"),
        (lambda: distinct_positions(2**40, "float16"), "length"),
    ],
)
def test_arguments_that_cannot_be_used_are_refused_by_name(call, argument):
    with pytest.raises(ParameterError) as caught:
        call()
    assert caught.value.argument == argument
