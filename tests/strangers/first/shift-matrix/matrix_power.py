"""Builds the step by one position and raises it to the power k, with the transpose for negative k.

Truth: right
Slips: none
Names: none
Says: A fair person would say: Correct. Moving by k is moving by one k times, and the inverse of a rotation is its transpose.
"""
import numpy as np


def shift(k: int, d: int, base: float = 10000.0) -> np.ndarray:
    one = np.zeros((d, d))
    for i in range(d // 2):
        w = base ** (-2 * i / d)
        one[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = [
            [np.cos(w), np.sin(w)],
            [-np.sin(w), np.cos(w)],
        ]
    if k < 0:
        one, k = one.T, -k
    return np.linalg.matrix_power(one, k)
