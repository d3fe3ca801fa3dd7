"""Does: You return float16 numbers, which have three digits.
Should: The arrays should be of dtype float32 or float64.
Step: rope/many-pairs
Kind: mistake
Breaks: 6. The arrays have dtype float32 or float64.
"""

import numpy as np


def rope_cos_sin(n: int, head_dim: int, base: float = 10000.0) -> tuple[np.ndarray, np.ndarray]:
    """(n, head_dim // 2) float64 each: cosine and sine of p * base^(-2i/head_dim)."""
    inv_freq = base ** (-np.arange(0, head_dim, 2) / head_dim)
    angles = np.arange(n)[:, None] * inv_freq
    return np.cos(angles).astype(np.float16), np.sin(angles).astype(np.float16)
