"""The sinusoidal code of "Attention Is All You Need", section 3.5, at any positions."""

import numpy as np


def sinusoidal_at(positions: np.ndarray, d: int) -> np.ndarray:
    """positions.shape + (d,) float64: sin(p / 10000^(2i/d)) in column 2i, the cosine in 2i+1."""
    if d < 2 or d % 2 or not np.size(positions):
        raise ValueError("d is even and positive, and positions is not empty")
    exact = np.asarray(positions, dtype=np.float64)
    inv_freq = 10000.0 ** (-np.arange(0, d, 2) / d)
    angles = exact[..., None] * inv_freq
    codes = np.empty((*exact.shape, d))
    codes[..., 0::2] = np.sin(angles)
    codes[..., 1::2] = np.cos(angles)
    return codes
