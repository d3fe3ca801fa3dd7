"""The base is multiplied by the factor itself: it must be factor^(D/(D-2)), or the last frequency is not divided by exactly the factor.

Step: longer-texts/ntk-aware
Kind: mistake
Breaks: 3. kind="ntk" takes the base times factor^(D/(D-2)).
"""

import numpy as np


def scaled_inv_freq(head_dim: int, base: float, factor: float, kind: str) -> np.ndarray:
    """(head_dim // 2,) float64: base^(-2i/D) / factor, or with base * factor^(D / (D - 2))."""
    exponents = -np.arange(0, head_dim, 2) / head_dim
    if kind == "linear":
        return base**exponents / factor
    larger = base * factor
    return larger**exponents
