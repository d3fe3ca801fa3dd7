"""Does: You fit each block to the code of position 0 alone, so it moves no other position.
Should: One matrix should move every position.
Step: relative-shift/shift-matrix
Kind: mistake
Breaks: 2. The same matrix moves every position.
"""

import numpy as np


def shift(k: int, d: int, base: float = 10000.0) -> np.ndarray:
    """(d, d) float64: for each pair the block (cos, sin; -sin, cos) of the angle k * frequency."""
    even = np.arange(0, d, 2)
    odd = even + 1
    angles = k * base ** (-even / d)
    matrix = np.zeros((d, d))
    matrix[even, odd] = np.sin(angles)
    matrix[odd, odd] = np.cos(angles)
    return matrix
