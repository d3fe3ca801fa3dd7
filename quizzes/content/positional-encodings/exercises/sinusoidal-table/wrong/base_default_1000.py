"""Does: Your default of base is 1000, so a call without base does not give the paper's table.
Should: The default should be 10000.
Step: sinusoidal-values/frequencies
Kind: mistake
Breaks: 4b. base is 10000 when the caller does not say otherwise.
"""

import numpy as np


def sinusoidal_table(n: int, d: int, base: float = 1000.0) -> np.ndarray:
    positions = np.arange(n)[:, None]
    pairs = np.arange((d + 1) // 2)
    angles = positions / base ** (2 * pairs / d)
    table = np.empty((n, d))
    table[:, 0::2] = np.sin(angles)
    table[:, 1::2] = np.cos(angles[:, : d // 2])
    return table
