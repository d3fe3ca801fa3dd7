"""Does: You spread the positions evenly from 0 to n, as linspace(0, n, n) does, so your last row belongs to position n.
Should: Row p should belong to position p, and the last row to position n - 1.
Step: sinusoidal-values/code-it
Kind: mistake
Breaks: 1b. Row p belongs to position p, and positions start at 0.
"""

import numpy as np


def sinusoidal_table(n: int, d: int, base: float = 10000.0) -> np.ndarray:
    """(n, d) float64: sin(p / base^(2i/d)) in column 2i, cos of the same angle in column 2i+1."""
    positions = np.linspace(0, n, n)[:, None]
    pairs = np.arange((d + 1) // 2)
    angles = positions / base ** (2 * pairs / d)
    table = np.empty((n, d))
    table[:, 0::2] = np.sin(angles)
    table[:, 1::2] = np.cos(angles[:, : d // 2])
    return table
