"""The angle is converted from degrees: pos / base^(2i/d) is in radians already, which is what np.sin expects.

Step: sinusoidal-values/the-formula
Kind: mistake
Breaks: 2. The angle is in radians.
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
