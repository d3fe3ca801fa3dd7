"""Does: You leave k out of the angles, so your matrix always moves by one position.
Should: The angle of each pair should be k times its frequency.
Number: The matrix here moves by one position only.
Step: relative-shift/turning-by-an-offset
Kind: mistake
Breaks: 1b. PE(p + k) = M PE(p) for every position p.
"""

import numpy as np


def shift(k: int, d: int, base: float = 10000.0) -> np.ndarray:
    """(d, d) float64: for each pair the block (cos, sin; -sin, cos) of the angle k * frequency."""
    even = np.arange(0, d, 2)
    odd = even + 1
    angles = base ** (-even / d)
    matrix = np.zeros((d, d))
    matrix[even, even] = np.cos(angles)
    matrix[even, odd] = np.sin(angles)
    matrix[odd, even] = -np.sin(angles)
    matrix[odd, odd] = np.cos(angles)
    return matrix
