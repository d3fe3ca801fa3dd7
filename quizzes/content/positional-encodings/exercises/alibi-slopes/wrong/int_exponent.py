"""Does: You divide 8h by P with //, which cuts fractions off, so that several heads share a slope.
Should: The exponent -8h/P should be divided with /, so that it can be a fraction.
Step: alibi/slopes
Kind: mistake
Breaks: 2. For a power of two, head h has the slope 2^(-8h/H).
"""

import numpy as np


def _of_power_of_two(n: int) -> np.ndarray:
    return 2.0 ** -(8 * np.arange(1, n + 1) // n)


def alibi_slopes(n_heads: int) -> np.ndarray:
    """(n_heads,) float64: the slopes of the next lower power of two, then every second of twice it."""
    power = 2 ** (n_heads.bit_length() - 1)
    own = _of_power_of_two(power)
    between = _of_power_of_two(2 * power)[0::2]
    return np.concatenate([own, between[: n_heads - power]])
