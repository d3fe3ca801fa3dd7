"""Each block from the codes of two positions, a quarter of a wavelength apart, and of those k later."""

import numpy as np


def shift(k: int, d: int, base: float = 10000.0) -> np.ndarray:
    """(d, d) float64: the block B of a pair solves B @ codes(p) = codes(p + k)."""
    matrix = np.zeros((d, d))
    for column in range(0, d, 2):
        frequency = base ** (-column / d)
        quarter = np.pi / (2 * frequency)
        positions = np.array([0.0, quarter])
        here, later = positions * frequency, (positions + k) * frequency
        codes = np.array([np.sin(here), np.cos(here)])
        codes_later = np.array([np.sin(later), np.cos(later)])
        block = slice(column, column + 2)
        matrix[block, block] = codes_later @ np.linalg.inv(codes)
    return matrix
