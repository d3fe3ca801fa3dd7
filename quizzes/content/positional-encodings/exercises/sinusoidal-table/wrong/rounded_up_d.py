"""Does: For an odd d you divide by d + 1, which is twice the number of pairs.
Should: The exponent should have d itself, odd or not: 2i/d.
Step: sinusoidal-values/the-formula
Kind: mistake
Breaks: 2c. The angle of pair i is p / base^(2i/d).
"""

import numpy as np


def sinusoidal_table(n: int, d: int, base: float = 10000.0) -> np.ndarray:
    """(n, d) float64: sin(p / base^(2i/d)) in column 2i, cos of the same angle in column 2i+1."""
    positions = np.arange(n)[:, None]
    pairs = np.arange((d + 1) // 2)
    angles = positions / base ** (2 * pairs / (d + d % 2))
    table = np.empty((n, d))
    table[:, 0::2] = np.sin(angles)
    table[:, 1::2] = np.cos(angles[:, : d // 2])
    return table
