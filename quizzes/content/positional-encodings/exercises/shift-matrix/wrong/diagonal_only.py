"""Does: You leave out the sines, so your matrix is 0 everywhere off its diagonal.
Should: Each pair should have a full block: a sine at p + k needs the cosine at p as well.
Number: The matrix here has only its diagonal, and the sines beside it are missing.
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
    matrix[even, even] = np.cos(angles)
    matrix[odd, odd] = np.cos(angles)
    return matrix
