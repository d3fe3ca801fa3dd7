"""The sinusoidal table of "Attention Is All You Need", section 3.5, with the base as an argument."""

import numpy as np


def sinusoidal_table(n: int, d: int, base: float = 10000.0) -> np.ndarray:
    """(n, d) float64: sin(p / base^(2i/d)) in column 2i, cos of the same angle in column 2i+1."""
    if n < 1 or d < 2 or base <= 0:
        raise ValueError("n is at least 1, d is at least 2, and base is positive")
    positions = np.arange(n)[:, None]
    pairs = np.arange((d + 1) // 2)
    angles = positions / base ** (2 * pairs / d)
    table = np.empty((n, d))
    table[:, 0::2] = np.sin(angles)
    table[:, 1::2] = np.cos(angles[:, : d // 2])
    return table
