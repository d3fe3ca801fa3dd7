"""Does: You take the logarithm of the base to base 10 (log10) and then use exp, whose base is e.
Should: Both should have the same base: exp goes with log.
Step: rope/many-pairs
Kind: mistake
Breaks: 4. The angle of pair i at position p is p * base^(-2i/head_dim).
"""

import numpy as np


def rope_cos_sin(n: int, head_dim: int, base: float = 10000.0) -> tuple[np.ndarray, np.ndarray]:
    """(n, head_dim // 2) float64 each: cosine and sine of p * base^(-2i/head_dim)."""
    inv_freq = np.exp(-np.arange(0, head_dim, 2) / head_dim * np.log10(base))
    angles = np.arange(n)[:, None] * inv_freq
    return np.cos(angles), np.sin(angles)
