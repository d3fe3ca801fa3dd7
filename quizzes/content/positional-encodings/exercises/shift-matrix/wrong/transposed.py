"""Does: You return the transpose, which is right for rows, PE(p + k) = PE(p) M, and moves columns back by k.
Should: Here codes are columns, and the matrix should give PE(p + k) = M PE(p).
Number: The matrix here is the transpose, which moves a code back and not on.
Step: relative-shift/shift-matrix
Kind: convention
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
    matrix[even, odd] = -np.sin(angles)
    matrix[odd, even] = np.sin(angles)
    matrix[odd, odd] = np.cos(angles)
    return matrix
