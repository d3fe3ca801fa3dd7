"""Does: You return every frequency twice, one for each number of a pair, so your result has head_dim numbers.
Should: There should be a single frequency for each pair, head_dim // 2 in all.
Step: longer-texts/position-interpolation
Kind: mistake
Breaks: 1a. The result has the shape (head_dim // 2,): one frequency for each pair.
"""

import numpy as np


def scaled_inv_freq(head_dim: int, base: float, factor: float, kind: str) -> np.ndarray:
    """(head_dim // 2,) float64: base^(-2i/D) / factor, or with base * factor^(D / (D - 2))."""
    exponents = -np.arange(0, head_dim, 2) / head_dim
    if kind == "linear":
        return np.repeat(base**exponents / factor, 2)
    larger = base * factor ** (head_dim / (head_dim - 2))
    return np.repeat(larger**exponents, 2)
