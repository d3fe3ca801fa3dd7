"""Does: Your default base is 1000: you leave out a zero.
Should: The default of base should be 10000.
Step: sinusoidal-wavelengths/inverse-frequencies
Kind: mistake
Breaks: 5b. base is 10000 when the caller does not say otherwise.
"""

import numpy as np


def shift(k: int, d: int, base: float = 1000.0) -> np.ndarray:
    """(d, d) float64: for each pair the block (cos, sin; -sin, cos) of the angle k * frequency."""
    even = np.arange(0, d, 2)
    odd = even + 1
    angles = k * base ** (-even / d)
    matrix = np.zeros((d, d))
    matrix[even, even] = np.cos(angles)
    matrix[even, odd] = np.sin(angles)
    matrix[odd, even] = -np.sin(angles)
    matrix[odd, odd] = np.cos(angles)
    return matrix
