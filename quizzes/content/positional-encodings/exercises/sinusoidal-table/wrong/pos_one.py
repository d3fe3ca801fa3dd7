"""Does: You count positions from 1, so your row 0 holds the values of position 1.
Should: Row 0 should belong to position 0 and read 0, 1, 0, 1, ...
Number: The positions are counted from 1 here; they should start at 0.
Step: sinusoidal-values/code-it
Kind: convention
Breaks: 1b. Row p belongs to position p, and positions start at 0.
"""

import numpy as np


def sinusoidal_table(n: int, d: int, base: float = 10000.0) -> np.ndarray:
    positions = np.arange(1, n + 1)[:, None]
    pairs = np.arange((d + 1) // 2)
    angles = positions / base ** (2 * pairs / d)
    table = np.empty((n, d))
    table[:, 0::2] = np.sin(angles)
    table[:, 1::2] = np.cos(angles[:, : d // 2])
    return table
