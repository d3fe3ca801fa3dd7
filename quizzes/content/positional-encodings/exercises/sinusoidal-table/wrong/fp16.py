"""The table is stored in float16, which keeps about three digits: its values are off by up to 0.00025.

Step: numerics/tables-in-half
Kind: mistake
Breaks: 6. The result has dtype float32 or float64.
"""

import numpy as np


def sinusoidal_table(n: int, d: int, base: float = 10000.0) -> np.ndarray:
    positions = np.arange(n)[:, None]
    pairs = np.arange((d + 1) // 2)
    angles = positions / base ** (2 * pairs / d)
    table = np.empty((n, d), dtype=np.float16)
    table[:, 0::2] = np.sin(angles)
    table[:, 1::2] = np.cos(angles[:, : d // 2])
    return table
