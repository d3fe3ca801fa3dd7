"""Does: You compute in the dtype of the positions: where they are float32, frequencies and angles are too, and far away they are off.
Should: The angles should be in float64 whatever dtype the positions have.
Step: numerics/what-to-do
Kind: mistake
Breaks: 5c. Compute the angles in float64 where the positions are float32 too.
"""

import numpy as np


def sinusoidal_at(positions: np.ndarray, d: int) -> np.ndarray:
    """positions.shape + (d,) float64: sin(p / 10000^(2i/d)) in column 2i, the cosine in 2i+1."""
    positions = np.asarray(positions)
    exact = positions if positions.dtype == np.float32 else positions.astype(np.float64)
    inv_freq = 10000.0 ** (-np.arange(0, d, 2) / d)
    inv_freq = inv_freq.astype(exact.dtype)
    angles = exact[..., None] * inv_freq
    codes = np.empty((*exact.shape, d))
    codes[..., 0::2] = np.sin(angles)
    codes[..., 1::2] = np.cos(angles)
    return codes
