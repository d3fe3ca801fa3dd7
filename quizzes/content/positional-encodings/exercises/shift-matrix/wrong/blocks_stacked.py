"""Does: You return the blocks one after another, an array of shape (d // 2, 2, 2).
Should: They should stand on the diagonal of one (d, d) matrix, with zeros elsewhere.
Step: relative-shift/shift-matrix
Kind: mistake
Breaks: 1a. The result has shape (d, d).
"""

import numpy as np


def shift(k: int, d: int, base: float = 10000.0) -> np.ndarray:
    """(d, d) float64: for each pair the block (cos, sin; -sin, cos) of the angle k * frequency."""
    even = np.arange(0, d, 2)
    angles = k * base ** (-even / d)
    cos, sin = np.cos(angles), np.sin(angles)
    return np.stack([np.stack([cos, sin], axis=-1), np.stack([-sin, cos], axis=-1)], axis=-2)
