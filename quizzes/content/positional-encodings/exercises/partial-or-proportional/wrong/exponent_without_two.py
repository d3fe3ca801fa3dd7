"""Does: Your exponents are i over the size, without the 2.
Should: The exponent of pair i should be -2i over the size.
Step: rope/many-pairs
Kind: mistake
Breaks: 2c. Partial exponents are over R.
"""

import numpy as np


def rotate(
    x: np.ndarray, positions: np.ndarray, base: float, share: float, kind: str
) -> np.ndarray:
    """(L, D): x with its share of each vector turned, partial (GPT-NeoX) or proportional (Gemma 4)."""
    head_dim = x.shape[-1]
    turning = int(share * head_dim)
    width = turning if kind == "partial" else head_dim
    pair = np.arange(width // 2)
    inv_freq = np.where(2 * pair < turning, base ** (-1.0 * pair / width), 0.0)
    angles = positions[:, None] * inv_freq
    cos, sin = np.cos(angles), np.sin(angles)
    first, second, rest = np.split(x, [width // 2, width], axis=-1)
    turned = [first * cos - second * sin, first * sin + second * cos]
    return np.concatenate([*turned, rest], axis=-1)
