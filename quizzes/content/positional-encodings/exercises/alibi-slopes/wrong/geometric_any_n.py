"""The rule 2^(-8h/H) is used for every number of heads: for others than powers of two the authors' code takes the slopes of the next lower power of two and then every second of twice it.

Step: alibi/any-head-count
Kind: mistake
Breaks: 3. Left-over heads take every second slope of 2P heads, beginning with its first.
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
