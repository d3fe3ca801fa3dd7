"""Does: You store the table in float16, which keeps about three digits, so its values are off by up to 0.00025.
Should: The table should be in float32 or float64.
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
