"""Does: You turn every pair by the same angle, k.
Should: Pair i should turn by k times its own frequency, base^(-2i/d).
Number: Every pair turns by the same angle here, that of pair 0; each should have its own.
Step: relative-shift/turning-by-an-offset
Kind: mistake
Breaks: 1b. PE(p + k) = M PE(p) for every position p.
"""

import numpy as np


def shift(k: int, d: int, base: float = 10000.0) -> np.ndarray:
    """(d, d) float64: for each pair the block (cos, sin; -sin, cos) of the angle k * frequency."""
    even = np.arange(0, d, 2)
    odd = even + 1
    angles = k * np.ones(d // 2)
    matrix = np.zeros((d, d))
    matrix[even, even] = np.cos(angles)
    matrix[even, odd] = np.sin(angles)
    matrix[odd, even] = -np.sin(angles)
    matrix[odd, odd] = np.cos(angles)
    return matrix
