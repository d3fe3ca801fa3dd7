"""Numbers of finite precision: positions and codes in float32, float16 and bfloat16."""

import math
from typing import Literal

import numpy as np
from posenc import analysis
from posenc.catalog.sinusoidal import Sinusoidal
from posenc.errors import ParameterError

from quizzes.lessons.value_functions.bounds import MOST_POSITIONS, MOST_WIDTH, within

__all__ = ["code_error", "distinct_positions", "gap_at", "held_as", "next_number"]

Dtype = Literal["float64", "float32", "float16", "bfloat16"]
_BITS: dict[Dtype, int] = {"float64": 53, "float32": 24, "float16": 11, "bfloat16": 8}
Stage = Literal["angles", "result"]


def code_error(*, d_model: int, position: int, dtype: Dtype, stage: Stage = "angles") -> float:
    """Return the largest error in a position's code with the angles, or the result, in `dtype`."""
    encoding = Sinusoidal(d_model=within("d_model", d_model, low=2, high=MOST_WIDTH))
    return float(analysis.cast_error(encoding.inv_freq, [position], dtype, stage=stage)[0])


def distinct_positions(*, length: int, dtype: Dtype) -> int:
    """Return how many of the positions 0 .. length - 1 are different numbers in `dtype`."""
    within("length", length, low=1, high=10 * MOST_POSITIONS)
    return analysis.distinct_positions(length, dtype)


def held_as(*, number: float, dtype: Dtype) -> float:
    """Return the number that `dtype` stores in place of this one."""
    return float(analysis.rounded_to(np.array([number]), dtype)[0])


def gap_at(*, number: float, dtype: Dtype) -> float:
    """Return the distance from this number to the next larger number in `dtype`."""
    return next_number(number=number, dtype=dtype) - held_as(number=number, dtype=dtype)


def next_number(*, number: float, dtype: Dtype) -> float:
    """Return the next larger number in `dtype`."""
    here = held_as(number=number, dtype=dtype)
    if here <= 0:
        raise ParameterError("number", number, "must be above 0")
    step = 2.0 ** (math.frexp(here)[1] - _BITS[dtype])
    return held_as(number=here + step, dtype=dtype)
