"""The linear shift of "Attention Is All You Need", section 3.5: PE(p + k) as a matrix times PE(p)."""

import numpy as np


def shift(k: int, d: int, base: float = 10000.0) -> np.ndarray:
    """(d, d) float64: for each pair the block (cos, sin; -sin, cos) of the angle k * frequency."""
    if d < 2 or d % 2 or base <= 0:
        raise ValueError("d is even and positive, and base is positive")
    even = np.arange(0, d, 2)
    odd = even + 1
    angles = k * base ** (-even / d)
    matrix = np.zeros((d, d))
    matrix[even, even] = np.cos(angles)
    matrix[even, odd] = np.sin(angles)
    matrix[odd, even] = -np.sin(angles)
    matrix[odd, odd] = np.cos(angles)
    return matrix
