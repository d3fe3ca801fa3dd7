"""Does: You drop the sign of k, so k = -3 gives the same matrix as k = 3.
Should: A negative k should move back: the matrix of -3 undoes the matrix of 3.
Step: relative-shift/shift-matrix
Kind: mistake
Breaks: 4a. k may be negative.
"""

import numpy as np


def shift(k: int, d: int, base: float = 10000.0) -> np.ndarray:
    """(d, d) float64: for each pair the block (cos, sin; -sin, cos) of the angle k * frequency."""
    even = np.arange(0, d, 2)
    odd = even + 1
    angles = abs(k) * base ** (-even / d)
    matrix = np.zeros((d, d))
    matrix[even, even] = np.cos(angles)
    matrix[even, odd] = np.sin(angles)
    matrix[odd, even] = -np.sin(angles)
    matrix[odd, odd] = np.cos(angles)
    return matrix
