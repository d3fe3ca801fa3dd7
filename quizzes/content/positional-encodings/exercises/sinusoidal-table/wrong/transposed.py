"""Does: You exchange rows and columns, so your table has the shape (d, n).
Should: Here the shape should be (n, d), one row for each position.
Step: sinusoidal-values/code-it
Kind: convention
Breaks: 1a. The result has shape (n, d).
"""

import numpy as np


def sinusoidal_table(n: int, d: int, base: float = 10000.0) -> np.ndarray:
    positions = np.arange(n)[:, None]
    pairs = np.arange((d + 1) // 2)
    angles = positions / base ** (2 * pairs / d)
    table = np.empty((n, d))
    table[:, 0::2] = np.sin(angles)
    table[:, 1::2] = np.cos(angles[:, : d // 2])
    return table.T
