"""The loss when positions, angles or codes are kept in fewer bits.

Source: IEEE 754-2019; bfloat16 is float32 without its lower 16 bits, rounded to nearest even.
Shapes: P = pairs, N = positions.
"""

from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from posenc.analysis.numbers import Numbers, require_choice, require_frequencies, require_numbers
from posenc.positions import require_whole_number

FloatName = Literal["float64", "float32", "float16", "bfloat16"]
Stage = Literal["angles", "result"]

LONGEST = 2**26


def rounded_to(values: npt.ArrayLike, dtype: FloatName) -> Numbers:
    """Return the values as `dtype` holds them, still in float64; infinite beyond its range.

    Raises ParameterError.
    """
    numbers = require_numbers("values", values)
    require_choice("dtype", dtype, get_args(FloatName))
    if dtype == "bfloat16":
        return _in_bfloat16(numbers)
    with np.errstate(over="ignore"):
        rounded: Numbers = numbers.astype(dtype).astype(np.float64)
    return rounded


def cast_error(
    inv_freq: npt.ArrayLike,
    positions: npt.ArrayLike,
    dtype: FloatName,
    *,
    stage: Stage = "angles",
) -> Numbers:
    """Return the largest error of any sine or cosine at each position, (N,).

    With stage "angles", the position, the frequencies and their product are kept in `dtype`, as in
    popular code at its best (many also compute the frequencies in float32, which may double the
    error), and only sin and cos are exact. With "result", angles are float64 and the cast
    comes last. A position beyond the range of `dtype` has no sine: its error is NaN.
    Raises ParameterError.
    """
    require_choice("stage", stage, get_args(Stage))
    at, frequencies = require_numbers("positions", positions, ndim=1), require_frequencies(inv_freq)
    exact = np.multiply.outer(at, frequencies)
    waves = np.stack([np.sin(exact), np.cos(exact)])
    if stage == "result":
        found = rounded_to(waves, dtype)
    else:
        held = np.multiply.outer(rounded_to(at, dtype), rounded_to(frequencies, dtype))
        angles = np.full_like(held, np.inf)
        finite = np.isfinite(held)
        angles[finite] = rounded_to(held[finite], dtype)
        with np.errstate(invalid="ignore"):
            found = np.stack([np.sin(angles), np.cos(angles)])
    errors: Numbers = np.abs(found - waves).max(axis=(0, 2))
    return errors


def distinct_positions(length: int, dtype: FloatName) -> int:
    """Return the number of different numbers of the positions 0 .. length-1 in `dtype`."""
    length = require_whole_number("length", length, low=1, high=LONGEST)
    return len(np.unique(rounded_to(np.arange(length), dtype)))


def _in_bfloat16(numbers: Numbers) -> Numbers:
    """Return float64 numbers rounded once to 8 significant bits, to nearest even."""
    mantissa, exponent = np.frexp(numbers)
    lowest = np.maximum(exponent, -125)  # below, bfloat16 has no more bits: subnormal numbers
    steps = np.ldexp(mantissa, exponent - lowest + 8)
    rounded: Numbers = np.ldexp(np.round(steps), lowest - 8)
    largest = np.ldexp(255.0, 120)
    return np.where(np.abs(rounded) > largest, np.copysign(np.inf, rounded), rounded)
