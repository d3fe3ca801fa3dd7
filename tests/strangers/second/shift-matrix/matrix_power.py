"""The matrix of one step, raised to the k-th power; backwards by the transpose.

Truth: right
Slips: none
Names: none
Says: A fair person would say: This is correct: k steps are the k-th power of one step, and the transpose of a turn is the turn back.
"""

import numpy as np


def shift(k, d, base=10000.0):
    one = np.zeros((d, d))
    for i in range(d // 2):
        w = float(base) ** (-2 * i / d)
        one[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = [[np.cos(w), np.sin(w)], [-np.sin(w), np.cos(w)]]
    step = one if k >= 0 else one.T
    return np.linalg.matrix_power(step, abs(int(k)))
