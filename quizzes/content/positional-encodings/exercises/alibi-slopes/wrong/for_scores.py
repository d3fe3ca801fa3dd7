"""Does: You return the shape (n_heads, 1, 1), which is handy for a product with scores.
Should: Here the result should have one axis, with the shape (n_heads,).
Step: alibi/slopes
Kind: mistake
Breaks: 1a. The result has shape (n_heads,).
"""

import numpy as np


def _of_power_of_two(n: int) -> np.ndarray:
    return 2.0 ** (-8 * np.arange(1, n + 1) / n)


def alibi_slopes(n_heads: int) -> np.ndarray:
    """(n_heads,) float64: the slopes of the next lower power of two, then every second of twice it."""
    power = 2 ** (n_heads.bit_length() - 1)
    own = _of_power_of_two(power)
    between = _of_power_of_two(2 * power)[0::2]
    return np.concatenate([own, between[: n_heads - power]])[:, None, None]
