"""Does: You return the cosines twice.
Should: The second array should hold the sines.
Step: rope/many-pairs
Kind: mistake
Breaks: 1. First the cosines, then the sines.
"""

import numpy as np


def rope_cos_sin(n: int, head_dim: int, base: float = 10000.0) -> tuple[np.ndarray, np.ndarray]:
    """(n, head_dim // 2) float64 each: cosine and sine of p * base^(-2i/head_dim)."""
    inv_freq = base ** (-np.arange(0, head_dim, 2) / head_dim)
    angles = np.arange(n)[:, None] * inv_freq
    return np.cos(angles), np.cos(angles)
