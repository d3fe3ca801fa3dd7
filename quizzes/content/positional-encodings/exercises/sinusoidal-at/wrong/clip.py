"""Does: You limit positions to 4999, so all positions beyond it share one code.
Should: Every position should be used as it is given, 100 000 too.
Step: sinusoidal-values/never-seen-positions
Kind: mistake
Breaks: 5a. Positions may be large: 100 000 is tested.
"""

import numpy as np


def sinusoidal_at(positions: np.ndarray, d: int) -> np.ndarray:
    """positions.shape + (d,) float64: sin(p / 10000^(2i/d)) in column 2i, the cosine in 2i+1."""
    exact = np.minimum(np.asarray(positions, dtype=np.float64), 4999.0)
    inv_freq = 10000.0 ** (-np.arange(0, d, 2) / d)
    angles = exact[..., None] * inv_freq
    codes = np.empty((*exact.shape, d))
    codes[..., 0::2] = np.sin(angles)
    codes[..., 1::2] = np.cos(angles)
    return codes
