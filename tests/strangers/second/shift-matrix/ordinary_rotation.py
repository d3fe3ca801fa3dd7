"""Ordinary rotation blocks on the diagonal.

Truth: wrong
Slips: the signs of the sines are swapped, so it moves backwards; the exponent is -i/d without the 2
Names: transposed, exp_half
Silent: yes
Says: A fair person would say: The sine comes first in a pair, so the block is [[cos, sin], [-sin, cos]]; yours moves by -k. And omega of pair i is base ** (-2 * i / d), you left out the 2.
"""

import numpy as np


def shift(k: int, d: int, base: float = 10000.0) -> np.ndarray:
    matrix = np.zeros((d, d))
    for i in range(d // 2):
        omega = 1 / base ** (i / d)
        c, s = np.cos(k * omega), np.sin(k * omega)
        r = 2 * i
        matrix[r : r + 2, r : r + 2] = np.array([[c, -s], [s, c]])
    return matrix
