"""Does: You return float16 numbers, which have three digits and no very small ones.
Should: The result should be of dtype float32 or float64.
Step: longer-texts/position-interpolation
Kind: mistake
Breaks: 4. The result is an array of dtype float32 or float64.
"""

import numpy as np


def scaled_inv_freq(head_dim: int, base: float, factor: float, kind: str) -> np.ndarray:
    """(head_dim // 2,) float64: base^(-2i/D) / factor, or with base * factor^(D / (D - 2))."""
    exponents = -np.arange(0, head_dim, 2) / head_dim
    if kind == "linear":
        return (base**exponents / factor).astype(np.float16)
    larger = base * factor ** (head_dim / (head_dim - 2))
    return (larger**exponents).astype(np.float16)
