"""Does: Your base is ten times too small, as with 1000 for 10000, so your slow columns turn too fast.
Should: The base should be the one that is given, and 10000 where none is.
Number: The base is ten times too small here.
Step: sinusoidal-values/frequencies
Kind: mistake
Breaks: 2c. The angle of pair i is p / base^(2i/d).
"""

import numpy as np


def sinusoidal_table(n: int, d: int, base: float = 10000.0) -> np.ndarray:
    positions = np.arange(n)[:, None]
    pairs = np.arange((d + 1) // 2)
    angles = positions / (base / 10) ** (2 * pairs / d)
    table = np.empty((n, d))
    table[:, 0::2] = np.sin(angles)
    table[:, 1::2] = np.cos(angles[:, : d // 2])
    return table
