"""Does: You give head h the slope 2^(-h), which is right for 8 heads only.
Should: It should be 2^(-8h/H), if the number of heads H is a power of two.
Number: This is 2^(-h), which is right for 8 heads only; the exponent should depend on the number of heads.
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
    return 2.0 ** -np.arange(1.0, n_heads + 1)
