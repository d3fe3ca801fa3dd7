"""Does: Your even columns hold the cosine and your odd columns the sine.
Should: The even columns should hold the sine and the odd columns the cosine.
Number: Sine and cosine are exchanged here.
Step: sinusoidal-values/the-formula
Kind: mistake
Breaks: 3a. Column 2i holds the sine.
"""

import numpy as np


def sinusoidal_table(n: int, d: int, base: float = 10000.0) -> np.ndarray:
    positions = np.arange(n)[:, None]
    pairs = np.arange((d + 1) // 2)
    angles = positions / base ** (2 * pairs / d)
    table = np.empty((n, d))
    table[:, 0::2] = np.cos(angles)
    table[:, 1::2] = np.sin(angles[:, : d // 2])
    return table
