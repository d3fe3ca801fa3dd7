"""Does: You convert the angles from degrees to radians, so they are about 57 times too small.
Should: The angles should be used as they are, because k times the frequency already is in radians.
Number: The angles are taken for degrees here; they should be in radians.
Step: sinusoidal-values/the-formula
Kind: mistake
Breaks: 1b. PE(p + k) = M PE(p) for every position p.
"""

import numpy as np


def shift(k: int, d: int, base: float = 10000.0) -> np.ndarray:
    """(d, d) float64: for each pair the block (cos, sin; -sin, cos) of the angle k * frequency."""
    even = np.arange(0, d, 2)
    odd = even + 1
    angles = np.deg2rad(k * base ** (-even / d))
    matrix = np.zeros((d, d))
    matrix[even, even] = np.cos(angles)
    matrix[even, odd] = np.sin(angles)
    matrix[odd, even] = -np.sin(angles)
    matrix[odd, odd] = np.cos(angles)
    return matrix
