"""Does: You return the sines first and then the cosines.
Should: The cosines should come first, then the sines.
Number: Sine and cosine of the angle are exchanged here.
Step: rope/many-pairs
Kind: convention
Breaks: 1. First the cosines, then the sines.
"""

import numpy as np


def rope_cos_sin(n: int, head_dim: int, base: float = 10000.0) -> tuple[np.ndarray, np.ndarray]:
    """(n, head_dim // 2) float64 each: cosine and sine of p * base^(-2i/head_dim)."""
    inv_freq = base ** (-np.arange(0, head_dim, 2) / head_dim)
    angles = np.arange(n)[:, None] * inv_freq
    return np.sin(angles), np.cos(angles)
