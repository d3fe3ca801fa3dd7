"""Does: With "linear" you return the frequencies of the larger base, as with "ntk".
Should: With "linear" the base should stay, and every frequency should be divided by factor.
Number: These are the frequencies of the larger base, not those divided by the factor.
Step: longer-texts/position-interpolation
Kind: mistake
Breaks: 2. kind="linear" divides every frequency by factor.
"""

import numpy as np


def scaled_inv_freq(head_dim: int, base: float, factor: float, kind: str) -> np.ndarray:
    """(head_dim // 2,) float64: base^(-2i/D) / factor, or with base * factor^(D / (D - 2))."""
    exponents = -np.arange(0, head_dim, 2) / head_dim
    if kind == "linear":
        frequencies = base**exponents / factor
    larger = base * factor ** (head_dim / (head_dim - 2))
    frequencies = larger**exponents
    return frequencies
