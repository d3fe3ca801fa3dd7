"""Does: You count positions from 1, so your first row holds the angles of position 1.
Should: The first row should belong to position 0, with cosine 1 and sine 0 everywhere.
Number: The positions are counted from 1 here, so the pair is turned by the angle of the next position.
Step: rope/many-pairs
Kind: mistake
Breaks: 3. Positions start at 0.
"""

import numpy as np


def rope_cos_sin(n: int, head_dim: int, base: float = 10000.0) -> tuple[np.ndarray, np.ndarray]:
    """(n, head_dim // 2) float64 each: cosine and sine of p * base^(-2i/head_dim)."""
    inv_freq = base ** (-np.arange(0, head_dim, 2) / head_dim)
    angles = np.arange(1, n + 1)[:, None] * inv_freq
    return np.cos(angles), np.sin(angles)
