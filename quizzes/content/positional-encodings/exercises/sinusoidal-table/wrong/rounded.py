"""Does: You round the table to 4 digits, as the example is printed.
Should: The numbers should be as exact as sine and cosine return them.
Step: sinusoidal-values/code-it
Kind: mistake
Breaks: 3a. Column 2i holds the sine of that angle.
"""

import numpy as np


def sinusoidal_table(n: int, d: int, base: float = 10000.0) -> np.ndarray:
    """(n, d) float64: sin(p / base^(2i/d)) in column 2i, cos of the same angle in column 2i+1."""
    positions = np.arange(n)[:, None]
    pairs = np.arange((d + 1) // 2)
    angles = positions / base ** (2 * pairs / d)
    table = np.empty((n, d))
    table[:, 0::2] = np.sin(angles)
    table[:, 1::2] = np.cos(angles[:, : d // 2])
    return np.round(table, 4)
