"""Does: You solve for the matrix with only d / 2 positions, so numbers outside the blocks are not 0.
Should: Only the two numbers of a pair should be mixed: it takes d positions or more to see that.
Step: relative-shift/shift-matrix
Kind: mistake
Breaks: 3. Only the two numbers of a pair are mixed with each other.
"""

import numpy as np


def shift(k: int, d: int, base: float = 10000.0) -> np.ndarray:
    """(d, d) float64: for each pair the block (cos, sin; -sin, cos) of the angle k * frequency."""
    even = np.arange(0, d, 2)
    angles = np.outer(np.arange(d // 2), base ** (-even / d))
    codes = np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(-1, d)
    angles = angles + k * base ** (-even / d)
    moved = np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(-1, d)
    return np.linalg.lstsq(codes, moved, rcond=None)[0].T
