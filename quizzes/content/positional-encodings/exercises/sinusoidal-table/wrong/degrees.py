"""Does: You convert the angle from degrees to radians, so it is about 57 times too small.
Should: The angle should be used as it is, because p / base^(2i/d) already is in radians.
Number: The angle is taken for degrees here; it should be in radians.
Step: sinusoidal-values/the-formula
Kind: mistake
Breaks: 2b. The angle is in radians.
"""

import numpy as np


def sinusoidal_table(n: int, d: int, base: float = 10000.0) -> np.ndarray:
    positions = np.arange(n)[:, None]
    pairs = np.arange((d + 1) // 2)
    angles = np.deg2rad(positions / base ** (2 * pairs / d))
    table = np.empty((n, d))
    table[:, 0::2] = np.sin(angles)
    table[:, 1::2] = np.cos(angles[:, : d // 2])
    return table
