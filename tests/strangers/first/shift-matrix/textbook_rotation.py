"""Puts the textbook rotation matrix on the diagonal.

Truth: wrong
Slips: the turn goes the wrong way round (the minus sign stands above the diagonal); base is not used and 10000 always is
Names: transposed, base_fixed
Silent: yes
Says: A fair person would say: With the sine first in each pair, the minus belongs to the lower left, so your matrix moves by -k. And use the argument base instead of 10000.
"""
import numpy as np


def shift(k: int, d: int, base: float = 10000.0) -> np.ndarray:
    M = np.zeros((d, d))
    for i in range(d // 2):
        theta = k / (10000 ** (2 * i / d))
        R = np.array([[np.cos(theta), -np.sin(theta)], [np.sin(theta), np.cos(theta)]])
        M[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = R
    return M
