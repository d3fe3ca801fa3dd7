"""Does: Your code fails for an odd d, because it needs as many columns for cosines as for sines.
Should: The last sine should have a column of its own: cut the angles to d // 2 columns for the cosines.
Step: sinusoidal-values/code-it
Kind: mistake
Breaks: 5. d may be odd: then the last pair has a sine and no cosine.
"""

import numpy as np


def sinusoidal_table(n: int, d: int, base: float = 10000.0) -> np.ndarray:
    """(n, d) float64: sin(p / base^(2i/d)) in column 2i, cos of the same angle in column 2i+1."""
    positions = np.arange(n)[:, None]
    pairs = np.arange((d + 1) // 2)
    angles = positions / base ** (2 * pairs / d)
    table = np.empty((n, d))
    table[:, 0::2] = np.sin(angles)
    table[:, 1::2] = np.cos(angles)
    return table
