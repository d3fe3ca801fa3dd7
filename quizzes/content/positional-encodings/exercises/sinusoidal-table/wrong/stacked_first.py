"""Does: You stack sines and cosines along a new first axis, so the reshape puts the sines of all positions before the cosines.
Should: They should be stacked along a new last axis, so that the sine and the cosine of a pair stand next to each other.
Step: sinusoidal-values/the-formula
Kind: mistake
Breaks: 3a. Column 2i holds the sine.
"""

import numpy as np


def sinusoidal_table(n: int, d: int, base: float = 10000.0) -> np.ndarray:
    """(n, d) float64: sin(p / base^(2i/d)) in column 2i, cos of the same angle in column 2i+1."""
    positions = np.arange(n)[:, None]
    pairs = np.arange((d + 1) // 2)
    angles = positions / base ** (2 * pairs / d)
    both = np.stack([np.sin(angles), np.cos(angles)])
    return both.reshape(n, -1)[:, :d]
