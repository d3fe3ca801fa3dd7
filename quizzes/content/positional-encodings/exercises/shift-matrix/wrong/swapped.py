"""Does: Your diagonal holds the sine of k times the frequency, with cosines beside it.
Should: The cosine should be on the diagonal and the sine beside it, so that k = 0 gives the identity.
Number: Sine and cosine are exchanged in the matrix here.
Step: relative-shift/turning-by-an-offset
Kind: mistake
Breaks: 1b. PE(p + k) = M PE(p) for every position p.
"""

import numpy as np


def shift(k: int, d: int, base: float = 10000.0) -> np.ndarray:
    """(d, d) float64: for each pair the block (cos, sin; -sin, cos) of the angle k * frequency."""
    even = np.arange(0, d, 2)
    odd = even + 1
    angles = k * base ** (-even / d)
    matrix = np.zeros((d, d))
    matrix[even, even] = np.sin(angles)
    matrix[even, odd] = np.cos(angles)
    matrix[odd, even] = -np.cos(angles)
    matrix[odd, odd] = np.sin(angles)
    return matrix
