"""Returns the turning blocks.

Truth: wrong
Slips: the blocks are returned as an array of shape (d // 2, 2, 2) and not placed on the diagonal of a d by d matrix
Names: blocks_stacked
Silent: no
Says: A fair person would say: The blocks are right but should stand on the diagonal of one (d, d) matrix, with zeros elsewhere.
"""
import numpy as np


def shift(k: int, d: int, base: float = 10000.0) -> np.ndarray:
    omega = base ** (-np.arange(0, d, 2) / d)
    c, s = np.cos(k * omega), np.sin(k * omega)
    return np.stack([np.stack([c, s], -1), np.stack([-s, c], -1)], axis=-2)
