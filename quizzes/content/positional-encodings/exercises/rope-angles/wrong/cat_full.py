"""Does: You repeat the columns as (0, 1, 2, ..., 0, 1, 2, ...), as caches for half-split pairs keep them, so your arrays have head_dim columns.
Should: Here each pair should have a single column, so head_dim // 2 in all.
Step: rope/two-pairings
Kind: convention
Breaks: 2. Each has shape (n, head_dim // 2), nothing repeated.
"""

import numpy as np


def rope_cos_sin(n: int, head_dim: int, base: float = 10000.0) -> tuple[np.ndarray, np.ndarray]:
    """(n, head_dim // 2) float64 each: cosine and sine of p * base^(-2i/head_dim)."""
    inv_freq = base ** (-np.arange(0, head_dim, 2) / head_dim)
    angles = np.arange(n)[:, None] * inv_freq
    return np.tile(np.cos(angles), 2), np.tile(np.sin(angles), 2)
