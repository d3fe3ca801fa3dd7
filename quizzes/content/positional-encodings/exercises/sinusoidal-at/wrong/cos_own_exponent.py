"""Does: You give the cosine an exponent of its own, (2i+1)/d, so the two columns of a pair have different angles.
Should: Both columns of a pair should use 2i/d, so that they are sine and cosine of the same angle.
Step: sinusoidal-values/the-formula
Kind: mistake
Breaks: 2b. The frequency of pair i is 10000^(-2i/d).
"""

import numpy as np


def sinusoidal_at(positions: np.ndarray, d: int) -> np.ndarray:
    """positions.shape + (d,) float64: sin(p / 10000^(2i/d)) in column 2i, the cosine in 2i+1."""
    exact = np.asarray(positions, dtype=np.float64)
    columns = np.arange(d)
    inv_freq = 10000.0 ** (-columns / d)
    angles = exact[..., None] * inv_freq
    return np.where(columns % 2 == 0, np.sin(angles), np.cos(angles))
