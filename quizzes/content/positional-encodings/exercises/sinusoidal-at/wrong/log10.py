"""Does: You take the logarithm of 10000 to base 10 (log10) and then use exp, whose base is e.
Should: Both should have the same base: exp goes with log.
Step: sinusoidal-values/the-formula
Kind: mistake
Breaks: 2b. The frequency of pair i is 10000^(-2i/d).
"""

import numpy as np


def sinusoidal_at(positions: np.ndarray, d: int) -> np.ndarray:
    """positions.shape + (d,) float64: sin(p / 10000^(2i/d)) in column 2i, the cosine in 2i+1."""
    exact = np.asarray(positions, dtype=np.float64)
    inv_freq = np.exp(-np.arange(0, d, 2) / d * np.log10(10000.0))
    angles = exact[..., None] * inv_freq
    codes = np.empty((*exact.shape, d))
    codes[..., 0::2] = np.sin(angles)
    codes[..., 1::2] = np.cos(angles)
    return codes
