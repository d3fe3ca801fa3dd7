"""Fills the diagonal with cosines and both neighbours with sines.

Truth: wrong
Slips: both numbers beside the diagonal are plus the sine
Names: no_minus
Silent: yes
Says: A fair person would say: In each block the lower left number must be minus the sine. With two plus signs the block is no rotation and changes lengths.
"""
import numpy as np


def shift(k: int, d: int, base: float = 10000.0) -> np.ndarray:
    matrix = np.eye(d)
    for i in range(d // 2):
        w = base ** (-2 * i / d)
        c, s = np.cos(k * w), np.sin(k * w)
        matrix[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = np.array([[c, s], [s, c]])
    return matrix
