"""Does: You place the blocks for codes with all sines first and all cosines after them.
Should: The block of pair i should be in rows and columns 2i and 2i+1, because here sines and cosines alternate.
Number: The matrix here is for codes with all sines before all cosines.
Step: relative-shift/shift-matrix
Kind: convention
Breaks: 1b. PE(p + k) = M PE(p) for every position p, where PE has the sine at place 2i and the cosine at place 2i+1.
"""

import numpy as np


def shift(k: int, d: int, base: float = 10000.0) -> np.ndarray:
    """(d, d) float64: for each pair the block (cos, sin; -sin, cos) of the angle k * frequency."""
    even = np.arange(0, d, 2)
    first, second = even // 2, even // 2 + d // 2
    angles = k * base ** (-even / d)
    matrix = np.zeros((d, d))
    matrix[first, first] = np.cos(angles)
    matrix[first, second] = np.sin(angles)
    matrix[second, first] = -np.sin(angles)
    matrix[second, second] = np.cos(angles)
    return matrix
