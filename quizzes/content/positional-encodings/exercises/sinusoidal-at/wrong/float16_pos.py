"""Does: You store positions in float16: above 2048 neighbouring positions can become the same number, and from 65 520 on they are infinite.
Should: The positions should be in float64.
Step: numerics/positions-in-half
Kind: mistake
Breaks: 5b. The angles are computed in float64.
"""

import numpy as np


def sinusoidal_at(positions: np.ndarray, d: int) -> np.ndarray:
    """positions.shape + (d,) float64: sin(p / 10000^(2i/d)) in column 2i, the cosine in 2i+1."""
    exact = np.asarray(positions, dtype=np.float16)
    inv_freq = 10000.0 ** (-np.arange(0, d, 2) / d)
    angles = exact[..., None].astype(np.float64) * inv_freq
    codes = np.empty((*exact.shape, d))
    codes[..., 0::2] = np.sin(angles)
    codes[..., 1::2] = np.cos(angles)
    return codes
