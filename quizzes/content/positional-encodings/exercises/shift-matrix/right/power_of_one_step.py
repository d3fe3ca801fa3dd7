"""The matrix of one step, multiplied k times: a turn back is the transpose."""

import numpy as np


def shift(k: int, d: int, base: float = 10000.0) -> np.ndarray:
    """(d, d) float64: the |k|-th power of the shift by 1, transposed for negative k."""
    one_step = np.zeros((d, d))
    for pair in range(d // 2):
        frequency = base ** (-2 * pair / d)
        cos, sin = np.cos(frequency), np.sin(frequency)
        rows = slice(2 * pair, 2 * pair + 2)
        one_step[rows, rows] = [[cos, sin], [-sin, cos]]
    power = np.linalg.matrix_power(one_step, abs(int(k)))
    return power.T if k < 0 else power
