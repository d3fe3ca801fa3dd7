"""A larger base for ntk, divided frequencies for linear.

Truth: wrong
Slips: the ntk base is base times factor, without the power D/(D-2)
Names: ntk_no_pow
Silent: yes
Says: A fair person would say: linear is right. For ntk the new base is base * factor ** (D / (D - 2)); with only base * factor the last frequency is not divided by the whole factor.
"""

import numpy as np


def scaled_inv_freq(
    head_dim: int,
    base: float,
    factor: float,
    kind: str,
) -> np.ndarray:
    """One frequency for each pair, for longer texts."""
    if kind == "ntk":
        base = base * factor
    exponents = np.arange(0, head_dim, 2) / head_dim
    frequencies = base**-exponents
    if kind == "linear":
        frequencies = frequencies / factor
    return frequencies
