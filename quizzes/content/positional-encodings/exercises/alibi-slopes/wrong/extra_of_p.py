"""Does: You take the left-over heads' slopes from the slopes of P heads, which the first P heads have already.
Should: They should be every second slope of 2P heads.
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
    between = _of_power_of_two(power)[0::2]
    return np.concatenate([own, between[: n_heads - power]])
