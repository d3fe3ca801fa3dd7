"""The parts of the kernels' loops: memory by its address, a pair turned, two bfloat16 in a word.

Shapes: none; each function is of single numbers and is compiled into the loop that calls it.
"""

from typing import Any

import numpy as np
from numba import njit, types
from numba.extending import intrinsic

UPPER_HALF = np.uint32(0xFFFF0000)


@intrinsic
def at(typing: Any, address: Any, kind: Any) -> Any:
    """Return the address, a whole number, as a pointer to numbers of a kind."""
    del typing

    def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        return builder.inttoptr(given[0], context.get_value_type(signature.return_type))

    return types.CPointer(kind.dtype)(address, kind), generate


@njit(inline="always")
def lower_half(word: Any) -> Any:
    """Return the bfloat16 in the lower half of a word as float32."""
    return np.uint32(word << np.uint32(16)).view(np.float32)


@njit(inline="always")
def upper_half(word: Any) -> Any:
    """Return the bfloat16 in the upper half of a word as float32."""
    return np.uint32(word & UPPER_HALF).view(np.float32)


@njit(inline="always")
def turned_pair(first: Any, second: Any, c: Any, s: Any) -> Any:
    return first * c - second * s, second * c + first * s


@njit(inline="always")
def _rounded(number: Any) -> Any:
    """Return a word whose upper half is the nearest bfloat16, ties to even; a NaN stays a NaN."""
    bits = np.float32(number).view(np.uint32)
    odd = np.uint32(np.uint32(bits >> np.uint32(16)) & np.uint32(1))
    more = np.uint32(odd + np.uint32(0x7FFF))
    return np.uint32(bits + (np.uint32(0) if np.isnan(number) else more))


@njit(inline="always")
def word_of(lower: Any, upper: Any) -> Any:
    """Return two numbers as bfloat16 in one word."""
    return np.uint32(
        np.uint32(_rounded(lower) >> np.uint32(16)) | np.uint32(_rounded(upper) & UPPER_HALF)
    )
