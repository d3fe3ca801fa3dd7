"""Does: You use 10000 whatever base the caller gives, so every base gives the same table.
Should: The angles should be computed with the base that is given; 10000 is only its default.
Number: The base is 10000 here, not the given one.
Step: sinusoidal-values/frequencies
Kind: mistake
Breaks: 4a. base is an argument.
"""

import numpy as np


def sinusoidal_table(n: int, d: int, base: float = 10000.0) -> np.ndarray:
    positions = np.arange(n)[:, None]
    pairs = np.arange((d + 1) // 2)
    angles = positions / 10000.0 ** (2 * pairs / d)
    table = np.empty((n, d))
    table[:, 0::2] = np.sin(angles)
    table[:, 1::2] = np.cos(angles[:, : d // 2])
    return table
