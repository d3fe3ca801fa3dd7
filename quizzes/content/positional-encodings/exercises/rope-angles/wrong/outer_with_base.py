"""Does: You multiply the positions by the base itself, so all pairs turn by the same angle, position times base.
Should: The positions should be multiplied by powers of the base, the frequencies base^(-2i/head_dim).
Number: The angle is the position times the base here, without an exponent.
Step: rope/many-pairs
Kind: mistake
Breaks: 4. The angle of pair i at position p is p * base^(-2i/head_dim).
"""

import numpy as np


def rope_cos_sin(n: int, head_dim: int, base: float = 10000.0) -> tuple[np.ndarray, np.ndarray]:
    """(n, head_dim // 2) float64 each: cosine and sine of p * base^(-2i/head_dim)."""
    inv_freq = base * np.ones(head_dim // 2)
    angles = np.arange(n)[:, None] * inv_freq
    return np.cos(angles), np.sin(angles)
