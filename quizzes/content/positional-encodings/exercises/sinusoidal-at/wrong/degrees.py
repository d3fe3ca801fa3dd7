"""Does: You convert the angles from degrees to radians, so they are about 57 times too small.
Should: Position times frequency should be the angle in radians as it is.
Step: sinusoidal-values/the-formula
Kind: mistake
Breaks: 2a. The code has the sine in column 2i and the cosine in column 2i+1.
"""

import numpy as np


def sinusoidal_at(positions: np.ndarray, d: int) -> np.ndarray:
    """positions.shape + (d,) float64: sin(p / 10000^(2i/d)) in column 2i, the cosine in 2i+1."""
    exact = np.asarray(positions, dtype=np.float64)
    inv_freq = 10000.0 ** (-np.arange(0, d, 2) / d)
    angles = np.deg2rad(exact[..., None] * inv_freq)
    codes = np.empty((*exact.shape, d))
    codes[..., 0::2] = np.sin(angles)
    codes[..., 1::2] = np.cos(angles)
    return codes
