"""Does: Your frequencies are base^(-i/(head_dim/2 - 1)), as in tensor2tensor's sinusoidal codes, so every pair after the first turns too slowly.
Should: RoPE's frequencies should be base^(-2i/head_dim).
Number: The exponent is -i/(head_dim/2 - 1) here, as in tensor2tensor's sinusoidal codes; RoPE's should be -2i/head_dim.
Step: sinusoidal-wavelengths/two-grids
Kind: mistake
Breaks: 4. The angle of pair i at position p is p * base^(-2i/head_dim).
"""

import numpy as np


def rope_cos_sin(n: int, head_dim: int, base: float = 10000.0) -> tuple[np.ndarray, np.ndarray]:
    """(n, head_dim // 2) float64 each: cosine and sine of p * base^(-2i/head_dim)."""
    inv_freq = base ** (-np.arange(head_dim // 2) / max(head_dim // 2 - 1, 1))
    angles = np.arange(n)[:, None] * inv_freq
    return np.cos(angles), np.sin(angles)
