"""Loops over the even columns as many blog posts do.

Truth: wrong
Slips: the column number is doubled once more in the exponent, which is 4i/d for pair i
Names: exp_double
Silent: yes
Says: A fair person would say: Your i already runs over the even columns 0, 2, 4, so the exponent is i/d, not 2*i/d. The later columns turn far too slowly.
"""
import math

import numpy as np


def sinusoidal_table(n: int, d: int, base: float = 10000.0) -> np.ndarray:
    pe = np.zeros((n, d))
    for pos in range(n):
        for i in range(0, d, 2):
            pe[pos, i] = math.sin(pos / (base ** ((2 * i) / d)))
            if i + 1 < d:
                pe[pos, i + 1] = math.cos(pos / (base ** ((2 * i) / d)))
    return pe
