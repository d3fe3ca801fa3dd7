"""Does: You give each left-over head half the slope of the head before it.
Should: The left-over heads should take every second slope of 2P heads, beginning with its first.
Number: This halves the last slope from head to head; the heads that are left over should take every second slope of twice the power of two.
Step: alibi/any-head-count
Kind: mistake
Breaks: 3b. Left-over heads take every second slope of 2P heads.
"""

import numpy as np


def _of_power_of_two(n: int) -> np.ndarray:
    return 2.0 ** (-8 * np.arange(1, n + 1) / n)


def alibi_slopes(n_heads: int) -> np.ndarray:
    """(n_heads,) float64: the slopes of the next lower power of two, then every second of twice it."""
    power = 2 ** (n_heads.bit_length() - 1)
    own = _of_power_of_two(power)
    return np.concatenate([own, own[-1] * 0.5 ** np.arange(1, n_heads - power + 1)])
