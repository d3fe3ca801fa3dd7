"""Does: You leave out the logarithm of the base: your exp(-2i/head_dim) has base e.
Should: The frequencies should be base^(-2i/head_dim), or exp(-2i/head_dim * log(base)).
Step: rope/many-pairs
Kind: mistake
Breaks: 4. The angle of pair i at position p is p * base^(-2i/head_dim).
"""

import numpy as np


def rope_cos_sin(n: int, head_dim: int, base: float = 10000.0) -> tuple[np.ndarray, np.ndarray]:
    """(n, head_dim // 2) float64 each: cosine and sine of p * base^(-2i/head_dim)."""
    inv_freq = np.exp(-np.arange(0, head_dim, 2) / head_dim)
    angles = np.arange(n)[:, None] * inv_freq
    return np.cos(angles), np.sin(angles)
