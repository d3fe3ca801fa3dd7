"""Does: Your frequencies are base^(-4i/d), so every pair after the first turns too slowly.
Should: The frequencies should be base^(-2i/d); an index that runs over 0, 2, 4, ... already is 2i.
Number: The exponent is 4i/d here, twice the right one.
Step: sinusoidal-values/code-it
Kind: mistake
Breaks: 1b. PE(p + k) = M PE(p) for every position p, where the frequency of pair i is base^(-2i/d).
"""

import numpy as np


def shift(k: int, d: int, base: float = 10000.0) -> np.ndarray:
    """(d, d) float64: for each pair the block (cos, sin; -sin, cos) of the angle k * frequency."""
    even = np.arange(0, d, 2)
    odd = even + 1
    angles = k * base ** (-2 * even / d)
    matrix = np.zeros((d, d))
    matrix[even, even] = np.cos(angles)
    matrix[even, odd] = np.sin(angles)
    matrix[odd, even] = -np.sin(angles)
    matrix[odd, odd] = np.cos(angles)
    return matrix
