"""Does: You make a row of a single position that has no axis, so its code has the shape (1, d).
Should: It should have the shape (d,): no axis of positions, and one of columns.
Step: sinusoidal-values/code-it
Kind: mistake
Breaks: 1c. The positions may have no axis.
"""

import numpy as np


def sinusoidal_at(positions: np.ndarray, d: int) -> np.ndarray:
    """positions.shape + (d,) float64: sin(p / 10000^(2i/d)) in column 2i, the cosine in 2i+1."""
    exact = np.atleast_1d(np.asarray(positions, dtype=np.float64))
    inv_freq = 10000.0 ** (-np.arange(0, d, 2) / d)
    angles = exact[..., None] * inv_freq
    codes = np.empty((*exact.shape, d))
    codes[..., 0::2] = np.sin(angles)
    codes[..., 1::2] = np.cos(angles)
    return codes
