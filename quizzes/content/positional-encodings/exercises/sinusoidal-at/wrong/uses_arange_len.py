"""Does: You compute the codes of 0, 1, 2 and so on, whatever positions are given.
Should: Each code should be computed from the position that is given.
Step: sinusoidal-values/code-it
Kind: mistake
Breaks: 3a. Positions need not count 0, 1, 2.
"""

import numpy as np


def sinusoidal_at(positions: np.ndarray, d: int) -> np.ndarray:
    """positions.shape + (d,) float64: sin(p / 10000^(2i/d)) in column 2i, the cosine in 2i+1."""
    exact = np.arange(float(np.size(positions))).reshape(np.shape(positions))
    inv_freq = 10000.0 ** (-np.arange(0, d, 2) / d)
    angles = exact[..., None] * inv_freq
    codes = np.empty((*exact.shape, d))
    codes[..., 0::2] = np.sin(angles)
    codes[..., 1::2] = np.cos(angles)
    return codes
