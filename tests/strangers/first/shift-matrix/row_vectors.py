"""The matrix that moves codes written as rows: code @ M.

Truth: other convention
Slips: the transpose, as it is right for row vectors
Names: transposed
Says: A fair person would say: Your matrix works for rows, PE(p) @ M. Here codes are columns and M stands on the left, so return the transpose.
"""
import numpy as np


def shift(k: int, d: int, base: float = 10000.0) -> np.ndarray:
    inv = 1.0 / base ** (np.arange(0, d, 2) / d)
    M = np.zeros((d, d))
    for i, w in enumerate(inv):
        c, s = np.cos(w * k), np.sin(w * k)
        # pe[p] @ M == pe[p + k]
        M[2 * i, 2 * i], M[2 * i, 2 * i + 1] = c, -s
        M[2 * i + 1, 2 * i], M[2 * i + 1, 2 * i + 1] = s, c
    return M
