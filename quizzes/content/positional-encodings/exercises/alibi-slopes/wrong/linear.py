"""Does: Your slopes fall by equal steps, from 1 to 1/H.
Should: Each should be the one before times the same factor: 2^(-8h/H) for head h, if H is a power of two.
Number: This falls by equal steps from head to head; the slopes of a power of two should fall by the same factor each time.
Step: alibi/slopes
Kind: mistake
Breaks: 2. For a power of two, head h has the slope 2^(-8h/H).
"""

import numpy as np


def _of_power_of_two(n: int) -> np.ndarray:
    return 2.0 ** (-8 * np.arange(1, n + 1) / n)


def alibi_slopes(n_heads: int) -> np.ndarray:
    """(n_heads,) float64: the slopes of the next lower power of two, then every second of twice it."""
    power = 2 ** (n_heads.bit_length() - 1)
    own = _of_power_of_two(power)
    between = _of_power_of_two(2 * power)[0::2]
    return np.arange(n_heads, 0, -1) / n_heads
