"""Does: You raise the base to -i/D, without the factor 2, so every frequency after the first is too large.
Should: The power should be -2i/D.
Step: rope/many-pairs
Kind: mistake
Breaks: 1b. Without scaling, the frequency of pair i is base^(-2i/D).
"""

import numpy as np


def scaled_inv_freq(head_dim: int, base: float, factor: float, kind: str) -> np.ndarray:
    """(head_dim // 2,) float64: base^(-2i/D) / factor, or with base * factor^(D / (D - 2))."""
    exponents = -np.arange(head_dim // 2) / head_dim
    if kind == "linear":
        return base**exponents / factor
    larger = base * factor ** (head_dim / (head_dim - 2))
    return larger**exponents
