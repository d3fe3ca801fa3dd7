"""Does: You write both sines and cosines to the columns 0::2, so the cosines overwrite the sines and your odd columns stay 0.
Should: The cosines should go to the columns 1::2.
Step: sinusoidal-values/code-it
Kind: mistake
Breaks: 3b. Column 2i+1 holds the cosine.
"""

import numpy as np


def sinusoidal_table(n: int, d: int, base: float = 10000.0) -> np.ndarray:
    positions = np.arange(n)[:, None]
    pairs = np.arange((d + 1) // 2)
    angles = positions / base ** (2 * pairs / d)
    table = np.zeros((n, d))
    table[:, 0::2] = np.sin(angles)
    table[:, 0::2] = np.cos(angles)
    return table
