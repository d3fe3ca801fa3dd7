"""Does: You sort the positions first, so codes stand where other positions were.
Should: Each code should be where its position was, in the order that is given.
Step: sinusoidal-values/code-it
Kind: mistake
Breaks: 3b. Positions need not be sorted.
"""

import numpy as np


def sinusoidal_at(positions: np.ndarray, d: int) -> np.ndarray:
    """positions.shape + (d,) float64: sin(p / 10000^(2i/d)) in column 2i, the cosine in 2i+1."""
    exact = np.sort(positions, axis=None).reshape(np.shape(positions)).astype(np.float64)
    inv_freq = 10000.0 ** (-np.arange(0, d, 2) / d)
    angles = exact[..., None] * inv_freq
    codes = np.empty((*exact.shape, d))
    codes[..., 0::2] = np.sin(angles)
    codes[..., 1::2] = np.cos(angles)
    return codes
