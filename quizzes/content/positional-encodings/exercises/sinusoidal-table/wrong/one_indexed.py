"""Does: You count pairs from 1, so every pair turns with the frequency of the next one, too slowly.
Should: Pairs should be counted from 0: the first pair turns by 1 radian for each position.
Step: sinusoidal-values/the-formula
Kind: mistake
Breaks: 2c. The angle of pair i is p / base^(2i/d).
"""

import numpy as np


def sinusoidal_table(n: int, d: int, base: float = 10000.0) -> np.ndarray:
    """(n, d) float64: sin(p / base^(2i/d)) in column 2i, cos of the same angle in column 2i+1."""
    positions = np.arange(n)[:, None]
    pairs = np.arange(1, (d + 1) // 2 + 1)
    angles = positions / base ** (2 * pairs / d)
    table = np.empty((n, d))
    table[:, 0::2] = np.sin(angles)
    table[:, 1::2] = np.cos(angles[:, : d // 2])
    return table
