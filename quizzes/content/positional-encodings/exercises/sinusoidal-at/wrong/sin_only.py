"""Does: You fill every column with a sine, so the two columns of a pair are equal.
Should: The odd columns should hold the cosine of the same angle.
Step: sinusoidal-values/the-formula
Kind: mistake
Breaks: 2a. The code has the sine in column 2i and the cosine in column 2i+1.
"""

import numpy as np


def sinusoidal_at(positions: np.ndarray, d: int) -> np.ndarray:
    """positions.shape + (d,) float64: sin(p / 10000^(2i/d)) in column 2i, the cosine in 2i+1."""
    exact = np.asarray(positions, dtype=np.float64)
    inv_freq = 10000.0 ** (-np.arange(0, d, 2) / d)
    angles = exact[..., None] * inv_freq
    codes = np.empty((*exact.shape, d))
    codes[..., 0::2] = np.sin(angles)
    codes[..., 1::2] = np.sin(angles)
    return codes
