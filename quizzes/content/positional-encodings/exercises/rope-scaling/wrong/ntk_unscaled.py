"""Does: With "ntk" you return the frequencies without scaling.
Should: With "ntk" the base should grow by the power of factor.
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
    return base**exponents
