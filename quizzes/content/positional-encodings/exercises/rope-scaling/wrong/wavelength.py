"""Does: You return the wavelengths 2 pi / omega, in positions.
Should: The result should be the frequencies, in radians for each position.
Step: rope/many-pairs
Kind: mistake
Breaks: 1b. Without scaling, the frequency of pair i is base^(-2i/D).
"""

import numpy as np


def scaled_inv_freq(head_dim: int, base: float, factor: float, kind: str) -> np.ndarray:
    """(head_dim // 2,) float64: base^(-2i/D) / factor, or with base * factor^(D / (D - 2))."""
    exponents = -np.arange(0, head_dim, 2) / head_dim
    if kind == "linear":
        return 2 * np.pi * factor / base**exponents
    larger = base * factor ** (head_dim / (head_dim - 2))
    return 2 * np.pi / larger**exponents
