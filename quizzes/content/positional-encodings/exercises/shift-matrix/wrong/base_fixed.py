"""Does: You use 10000 whatever base the caller gives, so every base gives the same matrix.
Should: The frequencies should be powers of the base that is given; 10000 is only its default.
Number: The base is 10000 here, not the given one.
Step: sinusoidal-wavelengths/inverse-frequencies
Kind: mistake
Breaks: 5a. base is an argument.
"""

import numpy as np


def shift(k: int, d: int, base: float = 10000.0) -> np.ndarray:
    """(d, d) float64: for each pair the block (cos, sin; -sin, cos) of the angle k * frequency."""
    even = np.arange(0, d, 2)
    odd = even + 1
    angles = k * 10000.0 ** (-even / d)
    matrix = np.zeros((d, d))
    matrix[even, even] = np.cos(angles)
    matrix[even, odd] = np.sin(angles)
    matrix[odd, even] = -np.sin(angles)
    matrix[odd, odd] = np.cos(angles)
    return matrix
