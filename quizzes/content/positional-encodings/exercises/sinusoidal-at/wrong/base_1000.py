"""Does: Your base is ten times too small: you leave out a zero of 10000, so the slow columns turn too fast.
Should: The base should be 10000.
Step: sinusoidal-values/the-formula
Kind: mistake
Breaks: 2b. The frequency of pair i is 10000^(-2i/d).
"""

import numpy as np


def sinusoidal_at(positions: np.ndarray, d: int) -> np.ndarray:
    """positions.shape + (d,) float64: sin(p / 10000^(2i/d)) in column 2i, the cosine in 2i+1."""
    exact = np.asarray(positions, dtype=np.float64)
    inv_freq = 1000.0 ** (-np.arange(0, d, 2) / d)
    angles = exact[..., None] * inv_freq
    codes = np.empty((*exact.shape, d))
    codes[..., 0::2] = np.sin(angles)
    codes[..., 1::2] = np.cos(angles)
    return codes
