"""Does: You compute positions or angles in float32, which keeps about seven digits, so at position 100 000 each rounding is off by up to 0.004.
Should: The angles should be computed in float64.
Step: numerics/angles-in-float32
Kind: mistake
Breaks: 5b. The angles are computed in float64.
"""

import numpy as np


def sinusoidal_at(positions: np.ndarray, d: int) -> np.ndarray:
    """positions.shape + (d,) float64: sin(p / 10000^(2i/d)) in column 2i, the cosine in 2i+1."""
    exact = np.asarray(positions, dtype=np.float32)
    inv_freq = 10000.0 ** (-np.arange(0, d, 2) / d)
    angles = exact[..., None] * inv_freq
    codes = np.empty((*exact.shape, d))
    codes[..., 0::2] = np.sin(angles)
    codes[..., 1::2] = np.cos(angles)
    return codes
