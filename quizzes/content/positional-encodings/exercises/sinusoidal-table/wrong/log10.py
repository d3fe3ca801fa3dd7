"""Does: You take the logarithm of the base to base 10 (log10) and then use exp, whose base is e.
Should: Both should have the same base: exp goes with log.
Step: sinusoidal-values/the-formula
Kind: mistake
Breaks: 2c. The angle of pair i is p / base^(2i/d).
"""

import numpy as np


def sinusoidal_table(n: int, d: int, base: float = 10000.0) -> np.ndarray:
    """(n, d) float64: sin(p / base^(2i/d)) in column 2i, cos of the same angle in column 2i+1."""
    positions = np.arange(n)[:, None]
    pairs = np.arange((d + 1) // 2)
    angles = positions * np.exp(-2 * pairs / d * np.log10(base))
    table = np.empty((n, d))
    table[:, 0::2] = np.sin(angles)
    table[:, 1::2] = np.cos(angles[:, : d // 2])
    return table
