"""Only sines, with a quarter turn added in the odd columns.

Truth: right
Slips: none
Names: none
Says: A fair person would say: This is correct: the cosine is the sine a quarter turn later, and everything is in float64.
"""

import numpy as np


def sinusoidal_at(positions, d):
    column = np.arange(d)
    omega = 10000.0 ** (-(column - column % 2) / d)
    phase = (column % 2) * (np.pi / 2)
    p = np.asarray(positions, dtype=np.float64)
    return np.sin(np.multiply.outer(p, omega) + phase)
