"""Does: With "ntk" you divide all frequencies by factor, the first one too.
Should: The first frequency should stay 1, and only the last one should be divided by exactly factor.
Number: With this base the second pair is already slowed by the whole factor; only the last pair should be.
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
    return base**exponents / factor
