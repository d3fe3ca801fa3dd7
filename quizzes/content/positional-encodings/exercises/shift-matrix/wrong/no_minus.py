"""Does: You leave out the minus sign in the rows of the cosines, so your blocks do not keep lengths.
Should: The sine in these rows should have a minus sign: cos(a + b) is cos a cos b minus sin a sin b.
Number: The minus sign before the sine is missing in the matrix here.
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
    matrix[even, odd] = np.sin(angles)
    matrix[odd, even] = np.sin(angles)
    matrix[odd, odd] = np.cos(angles)
    return matrix
