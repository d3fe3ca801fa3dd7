"""Does: Your code raises an error where the positions have three axes.
Should: It should accept any number of axes: positions[..., None] adds one at the end, whatever comes before.
Step: sinusoidal-values/code-it
Kind: mistake
Breaks: 1b. The positions may have three axes.
"""

import numpy as np


def sinusoidal_at(positions: np.ndarray, d: int) -> np.ndarray:
    """positions.shape + (d,) float64: sin(p / 10000^(2i/d)) in column 2i, the cosine in 2i+1."""
    exact = np.asarray(positions, dtype=np.float64)
    inv_freq = 10000.0 ** (-np.arange(0, d, 2) / d)
    column = exact[:, :, None] if exact.ndim > 1 else exact[..., None]
    angles = column * inv_freq
    codes = np.empty((*exact.shape, d))
    codes[..., 0::2] = np.sin(angles)
    codes[..., 1::2] = np.cos(angles)
    return codes
