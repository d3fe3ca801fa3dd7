"""Does: You multiply the base by factor^(D/(D-1)), so the last frequency is divided by less than factor.
Should: The power should be D/(D-2), because the last pair has the exponent (D-2)/D.
Number: The exponent of the factor is D/(D-1) here; it should be D/(D-2).
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
    larger = base * factor ** (head_dim / (head_dim - 1))
    return larger**exponents
