"""Does: You leave out the logarithm of the base: your exp(-2i/d) has base e.
Should: The frequencies should be base^(-2i/d), or exp(-2i/d * log(base)).
Step: sinusoidal-values/the-formula
Kind: mistake
Breaks: 2c. The angle of pair i is p / base^(2i/d).
"""

import numpy as np


def sinusoidal_table(n: int, d: int, base: float = 10000.0) -> np.ndarray:
    """(n, d) float64: sin(p / base^(2i/d)) in column 2i, cos of the same angle in column 2i+1."""
    positions = np.arange(n)[:, None]
    pairs = np.arange((d + 1) // 2)
    angles = positions * np.exp(-2 * pairs / d)
    table = np.empty((n, d))
    table[:, 0::2] = np.sin(angles)
    table[:, 1::2] = np.cos(angles[:, : d // 2])
    return table
