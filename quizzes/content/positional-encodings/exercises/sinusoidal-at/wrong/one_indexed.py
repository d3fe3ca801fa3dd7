"""Does: You count pairs from 1, so every pair turns with the frequency of the next one, too slowly.
Should: Pairs should be counted from 0: the first pair turns by 1 radian for each position.
Step: sinusoidal-values/the-formula
Kind: mistake
Breaks: 2b. The frequency of pair i is 10000^(-2i/d).
"""

import numpy as np


def sinusoidal_at(positions: np.ndarray, d: int) -> np.ndarray:
    """positions.shape + (d,) float64: sin(p / 10000^(2i/d)) in column 2i, the cosine in 2i+1."""
    exact = np.asarray(positions, dtype=np.float64)
    inv_freq = 10000.0 ** (-np.arange(2, d + 2, 2) / d)
    angles = exact[..., None] * inv_freq
    codes = np.empty((*exact.shape, d))
    codes[..., 0::2] = np.sin(angles)
    codes[..., 1::2] = np.cos(angles)
    return codes
