"""Does: With "linear" you multiply the base by factor, so the first frequency stays 1 and the others are divided by too little.
Should: Position interpolation should leave the base alone and divide all frequencies alike, by factor.
Step: longer-texts/position-interpolation
Kind: mistake
Breaks: 2. kind="linear" divides every frequency by factor.
"""

import numpy as np


def scaled_inv_freq(head_dim: int, base: float, factor: float, kind: str) -> np.ndarray:
    """(head_dim // 2,) float64: base^(-2i/D) / factor, or with base * factor^(D / (D - 2))."""
    exponents = -np.arange(0, head_dim, 2) / head_dim
    if kind == "linear":
        return (base * factor) ** exponents
    larger = base * factor ** (head_dim / (head_dim - 2))
    return larger**exponents
