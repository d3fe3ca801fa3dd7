"""Does: You leave out the minus sign of the exponent: your base^(2i/D) is what positions are divided by.
Should: The frequencies should be base^(-2i/D), which fall from pair to pair.
Step: rope/many-pairs
Kind: mistake
Breaks: 1b. Without scaling, the frequency of pair i is base^(-2i/D).
"""

import numpy as np


def scaled_inv_freq(head_dim: int, base: float, factor: float, kind: str) -> np.ndarray:
    """(head_dim // 2,) float64: base^(-2i/D) / factor, or with base * factor^(D / (D - 2))."""
    exponents = np.arange(0, head_dim, 2) / head_dim
    if kind == "linear":
        return base**exponents / factor
    larger = base * factor ** (head_dim / (head_dim - 2))
    return larger**exponents
