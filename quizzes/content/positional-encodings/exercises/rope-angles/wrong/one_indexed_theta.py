"""Does: You count pairs from 1, so every pair turns with the frequency of the next one, too slowly.
Should: Pairs should be counted from 0: the paper's base^(-2(i-1)/d) for i = 1, 2, ... is base^(-2i/d) for i = 0, 1, ...
Number: The pairs are counted from 1 here, so the frequency is that of the next pair.
Step: rope/many-pairs
Kind: mistake
Breaks: 4. The angle of pair i at position p is p * base^(-2i/head_dim).
"""

import numpy as np


def rope_cos_sin(n: int, head_dim: int, base: float = 10000.0) -> tuple[np.ndarray, np.ndarray]:
    """(n, head_dim // 2) float64 each: cosine and sine of p * base^(-2i/head_dim)."""
    inv_freq = base ** (-(np.arange(0, head_dim, 2) + 2) / head_dim)
    angles = np.arange(n)[:, None] * inv_freq
    return np.cos(angles), np.sin(angles)
