"""Does: You give the left-over heads the second, fourth, ... slope of 2P heads, [1::2]. The first P heads have these already.
Should: They should take the first, third, fifth and so on: [0::2].
Number: This is a slope that one of the first heads has already; the heads that are left over should take the first, third, fifth, ... slope of twice the power of two.
Step: alibi/any-head-count
Kind: mistake
Breaks: 3c. The slopes of left-over heads begin with the first of 2P heads.
"""

import numpy as np


def _of_power_of_two(n: int) -> np.ndarray:
    return 2.0 ** (-8 * np.arange(1, n + 1) / n)


def alibi_slopes(n_heads: int) -> np.ndarray:
    """(n_heads,) float64: the slopes of the next lower power of two, then every second of twice it."""
    power = 2 ** (n_heads.bit_length() - 1)
    own = _of_power_of_two(power)
    between = _of_power_of_two(2 * power)[1::2]
    return np.concatenate([own, between[: n_heads - power]])
