"""Does: Your default of base is 1000: you leave out a zero.
Should: It should be 10000, for calls that give no base.
Step: rope/many-pairs
Kind: mistake
Breaks: 5b. base is 10000 when the caller does not say otherwise.
"""

import numpy as np


def rope_cos_sin(n: int, head_dim: int, base: float = 1000.0) -> tuple[np.ndarray, np.ndarray]:
    """(n, head_dim // 2) float64 each: cosine and sine of p * base^(-2i/head_dim)."""
    inv_freq = base ** (-np.arange(0, head_dim, 2) / head_dim)
    angles = np.arange(n)[:, None] * inv_freq
    return np.cos(angles), np.sin(angles)
