"""Does: All your frequencies are 1, as when 2i is divided by head_dim with //, which gives 0.
Should: The exponents should be fractions, -2i/head_dim.
Number: The frequency is 1 here, which only pair 0 has.
Step: rope/many-pairs
Kind: mistake
Breaks: 4. The angle of pair i at position p is p * base^(-2i/head_dim).
"""

import numpy as np


def rope_cos_sin(n: int, head_dim: int, base: float = 10000.0) -> tuple[np.ndarray, np.ndarray]:
    """(n, head_dim // 2) float64 each: cosine and sine of p * base^(-2i/head_dim)."""
    inv_freq = base ** (-(np.arange(0.0, head_dim, 2) // head_dim))
    angles = np.arange(n)[:, None] * inv_freq
    return np.cos(angles), np.sin(angles)
