"""Does: You take the slopes of the next higher power of two and cut them off after n_heads.
Should: You should take those of the next lower power of two, and then every second slope of twice that number.
Number: This is a slope of the next higher power of two; it should come from the next lower one, and then from every second slope of twice that.
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
    return _of_power_of_two(2 ** (n_heads - 1).bit_length())[:n_heads]
