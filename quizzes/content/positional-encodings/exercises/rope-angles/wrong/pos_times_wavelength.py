"""Does: You multiply the position by base^(2i/head_dim), so later pairs turn faster.
Should: The position should be multiplied by base^(-2i/head_dim), so that later pairs turn more slowly.
Step: rope/many-pairs
Kind: mistake
Breaks: 4. The angle of pair i at position p is p * base^(-2i/head_dim).
"""

import numpy as np


def rope_cos_sin(n: int, head_dim: int, base: float = 10000.0) -> tuple[np.ndarray, np.ndarray]:
    """(n, head_dim // 2) float64 each: cosine and sine of p * base^(-2i/head_dim)."""
    inv_freq = base ** (np.arange(0, head_dim, 2) / head_dim)
    angles = np.arange(n)[:, None] * inv_freq
    return np.cos(angles), np.sin(angles)
