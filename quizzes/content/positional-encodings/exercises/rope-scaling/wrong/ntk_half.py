"""Does: You have the exponent of factor upside down, (D-2)/D, so the last frequency is divided by less than factor.
Should: The exponent should be D/(D-2).
Number: The exponent of the factor is upside down here, (D-2)/D; it should be D/(D-2).
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
    larger = base * factor ** ((head_dim - 2) / head_dim)
    return larger**exponents
