"""Does: You exchange the two kinds: your "linear" enlarges the base, and your "ntk" divides every frequency by factor.
Should: The kind "linear" should divide every frequency by factor, and "ntk" should enlarge the base.
Step: longer-texts/ntk-aware
Kind: mistake
Breaks: 2. kind="linear" divides every frequency by factor.
"""

import numpy as np


def scaled_inv_freq(head_dim: int, base: float, factor: float, kind: str) -> np.ndarray:
    """(head_dim // 2,) float64: base^(-2i/D) / factor, or with base * factor^(D / (D - 2))."""
    exponents = -np.arange(0, head_dim, 2) / head_dim
    if kind == "ntk":
        return base**exponents / factor
    larger = base * factor ** (head_dim / (head_dim - 2))
    return larger**exponents
