"""Angles for every column at once, then sine and cosine on alternate columns.

Truth: wrong
Slips: each column has its own exponent j/d, so a cosine does not share the angle of its sine
Names: cos_own_exponent
Silent: yes
Says: A fair person would say: Both columns of a pair use the same angle with the exponent 2i/d. You use the number of the column itself, so each cosine turns a little more slowly than its sine; use 2 * (j // 2).
"""

import numpy as np


def sinusoidal_table(n: int, d: int, base: float = 10000.0) -> np.ndarray:
    pos = np.arange(n).reshape(n, 1)
    j = np.arange(d).reshape(1, d)
    angles = pos / np.power(base, j / d)
    table = np.zeros((n, d))
    table[:, 0::2] = np.sin(angles[:, 0::2])
    table[:, 1::2] = np.cos(angles[:, 1::2])
    return table
