"""Does: You read the codes from a table of 5000 rows, so a position beyond it raises an error and a fraction is cut to a whole number.
Should: The code should be computed from the position itself, however large it is.
Step: learned/beyond-the-table
Kind: mistake
Breaks: 5a. Positions may be large: 100 000 is tested.
"""

import numpy as np


def sinusoidal_at(positions: np.ndarray, d: int) -> np.ndarray:
    """positions.shape + (d,) float64: sin(p / 10000^(2i/d)) in column 2i, the cosine in 2i+1."""
    exact = np.arange(5000.0)[np.asarray(positions).astype(int)]
    inv_freq = 10000.0 ** (-np.arange(0, d, 2) / d)
    angles = exact[..., None] * inv_freq
    codes = np.empty((*exact.shape, d))
    codes[..., 0::2] = np.sin(angles)
    codes[..., 1::2] = np.cos(angles)
    return codes
