"""Does: You divide the base, so every pair after the first turns faster.
Should: The base should be multiplied: a longer text needs slower pairs, and so a larger base.
Number: The base is divided here, which makes pairs faster; it should be multiplied, because a longer text needs slower pairs.
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
    larger = base / factor ** (head_dim / (head_dim - 2))
    return larger**exponents
