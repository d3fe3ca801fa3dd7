"""Does: You spread the positions evenly from 0 to n, as linspace(0, n, n) does, so your last row belongs to position n.
Should: Row p should belong to position p, and the last row to position n - 1.
Step: rope/many-pairs
Kind: mistake
Breaks: 3. Positions start at 0.
"""

import numpy as np


def rope_cos_sin(n: int, head_dim: int, base: float = 10000.0) -> tuple[np.ndarray, np.ndarray]:
    """(n, head_dim // 2) float64 each: cosine and sine of p * base^(-2i/head_dim)."""
    inv_freq = base ** (-np.arange(0, head_dim, 2) / head_dim)
    angles = np.linspace(0, n, n)[:, None] * inv_freq
    return np.cos(angles), np.sin(angles)
