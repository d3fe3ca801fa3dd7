"""Does: Your exponent is -i/(D/2 - 1), as in tensor2tensor's sinusoidal codes, so the last frequency without scaling is exactly 1/base.
Should: Here the exponent should be -2i/D.
Step: rope/many-pairs
Kind: mistake
Breaks: 1b. Without scaling, the frequency of pair i is base^(-2i/D).
"""

import numpy as np


def scaled_inv_freq(head_dim: int, base: float, factor: float, kind: str) -> np.ndarray:
    """(head_dim // 2,) float64: base^(-2i/D) / factor, or with base * factor^(D / (D - 2))."""
    exponents = -np.arange(0, head_dim, 2) / (head_dim - 2)
    if kind == "linear":
        return base**exponents / factor
    larger = base * factor ** (head_dim / (head_dim - 2))
    return larger**exponents
