"""Does: You use 2^(-8h/H) for every number of heads H.
Should: If H is no power of two, the slopes should be those of the next lower power of two and then every second slope of twice that number, as in the authors' code.
Number: This is 2^(-8h/H) with the number of heads as H, which is right for a power of two only.
Step: alibi/any-head-count
Kind: mistake
Breaks: 3a. First come the slopes of P heads, where P is the largest power of two that is not above H.
"""

import numpy as np


def _of_power_of_two(n: int) -> np.ndarray:
    return 2.0 ** (-8 * np.arange(1, n + 1) / n)


def alibi_slopes(n_heads: int) -> np.ndarray:
    """(n_heads,) float64: the slopes of the next lower power of two, then every second of twice it."""
    power = 2 ** (n_heads.bit_length() - 1)
    own = _of_power_of_two(power)
    between = _of_power_of_two(2 * power)[0::2]
    return _of_power_of_two(n_heads)
