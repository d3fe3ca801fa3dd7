"""Does: You use the absolute value of positions, so -3 gets the code of 3.
Should: A negative position should be used as it is given: its sines have the other sign.
Step: sinusoidal-values/never-seen-positions
Kind: mistake
Breaks: 3c. Positions may be negative.
"""

import numpy as np


def sinusoidal_at(positions: np.ndarray, d: int) -> np.ndarray:
    """positions.shape + (d,) float64: sin(p / 10000^(2i/d)) in column 2i, the cosine in 2i+1."""
    exact = np.abs(np.asarray(positions, dtype=np.float64))
    inv_freq = 10000.0 ** (-np.arange(0, d, 2) / d)
    angles = exact[..., None] * inv_freq
    codes = np.empty((*exact.shape, d))
    codes[..., 0::2] = np.sin(angles)
    codes[..., 1::2] = np.cos(angles)
    return codes
