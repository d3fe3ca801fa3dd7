"""The 2 is missing from the exponent: it must be 2i/d for pair i, and you use i/d.

Step: sinusoidal-values/the-formula
Kind: mistake
Breaks: 2. Both columns of pair i use the same angle pos / base^(2i/d).
"""

import numpy as np


def sinusoidal_table(n: int, d: int, base: float = 10000.0) -> np.ndarray:
    positions = np.arange(n)[:, None]
    pairs = np.arange((d + 1) // 2)
    angles = positions / base ** (pairs / d)
    table = np.empty((n, d))
    table[:, 0::2] = np.sin(angles)
    table[:, 1::2] = np.cos(angles[:, : d // 2])
    return table
