"""Does: You count the first P heads from 0, so that your first slope is 1; only the slopes after them are right.
Should: Heads should be counted from 1 there too: the first slope of P heads is 2^(-8/P).
Step: alibi/slopes
Kind: mistake
Breaks: 2. For a power of two, head h has the slope 2^(-8h/H).
"""

import numpy as np


def _of_power_of_two(n: int) -> np.ndarray:
    return 2.0 ** (-8 * np.arange(n) / n)


def alibi_slopes(n_heads: int) -> np.ndarray:
    """(n_heads,) float64: the slopes of the next lower power of two, then every second of twice it."""
    power = 2 ** (n_heads.bit_length() - 1)
    own = _of_power_of_two(power)
    between = _of_power_of_two(2 * power)[1::2]
    return np.concatenate([own, between[: n_heads - power]])
