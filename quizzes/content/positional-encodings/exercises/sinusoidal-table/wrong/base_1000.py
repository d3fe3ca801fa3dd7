"""The base is ten times too small, as if 1000 stood where 10000 belongs: the slow columns turn too fast.

Step: sinusoidal-values/frequencies
Kind: mistake
Breaks: 2. Both columns of pair i use the same angle pos / base^(2i/d).
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
