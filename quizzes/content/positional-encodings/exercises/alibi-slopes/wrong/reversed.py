"""Does: You return the slopes in reverse order, the last head first.
Should: The slopes of P heads should come first, beginning with the steepest.
Number: This counts the heads from the end; head 1 should have the steepest slope of the power of two.
Step: alibi/slopes
Kind: mistake
Breaks: 4b. Nothing is sorted or reversed.
"""

import numpy as np


def _of_power_of_two(n: int) -> np.ndarray:
    return 2.0 ** (-8 * np.arange(1, n + 1) / n)


def alibi_slopes(n_heads: int) -> np.ndarray:
    """(n_heads,) float64: the slopes of the next lower power of two, then every second of twice it."""
    power = 2 ** (n_heads.bit_length() - 1)
    own = _of_power_of_two(power)
    between = _of_power_of_two(2 * power)[0::2]
    return np.concatenate([own, between[: n_heads - power]])[::-1]
