"""Does: You multiply the base by factor itself, so the last frequency is divided by less than factor.
Should: The base should be multiplied by factor^(D/(D-2)), so that the last frequency is divided by exactly factor.
Number: The base is multiplied by the factor itself here, without the exponent D/(D-2).
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
