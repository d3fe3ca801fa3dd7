"""Does: Your cosine has the exponent 2i + 1/d, where only the 1 is divided by d, so your cosines turn too slowly.
Should: Both columns of a pair should use 2i/d.
Step: sinusoidal-values/the-formula
Kind: mistake
Breaks: 2a. Both columns of pair i use the same angle.
"""

import numpy as np


def sinusoidal_table(n: int, d: int, base: float = 10000.0) -> np.ndarray:
    positions = np.arange(n)[:, None]
    pairs = np.arange((d + 1) // 2)
    table = np.empty((n, d))
    table[:, 0::2] = np.sin(positions / base ** (2 * pairs / d))
    odd = pairs[: d // 2]
    table[:, 1::2] = np.cos(positions / base ** (2 * odd + 1 / d))
    return table
