"""Does: You leave out the logarithm of the base: your exp(-2i/d) has base e.
Should: The frequencies should be base^(-2i/d), or exp(-2i/d * log(base)).
Step: sinusoidal-wavelengths/inverse-frequencies
Kind: mistake
Breaks: 1b. PE(p + k) = M PE(p) for every position p, where the frequency of pair i is base^(-2i/d).
"""

import numpy as np


def shift(k: int, d: int, base: float = 10000.0) -> np.ndarray:
    """(d, d) float64: for each pair the block (cos, sin; -sin, cos) of the angle k * frequency."""
    even = np.arange(0, d, 2)
    odd = even + 1
    angles = k * np.exp(-even / d)
    matrix = np.zeros((d, d))
    matrix[even, even] = np.cos(angles)
    matrix[even, odd] = np.sin(angles)
    matrix[odd, even] = -np.sin(angles)
    matrix[odd, odd] = np.cos(angles)
    return matrix
