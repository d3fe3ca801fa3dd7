"""Does: You sort the slopes, so that the left-over heads stand among the others.
Should: The left-over heads should come last, and nothing should be sorted.
Number: This is the slope at that place after sorting; the heads that are left over should come last.
Step: alibi/any-head-count
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
    return np.sort(np.concatenate([own, between[: n_heads - power]]))[::-1]
