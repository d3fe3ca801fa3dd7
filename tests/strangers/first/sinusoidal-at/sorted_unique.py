"""Computes each different position once.

Truth: wrong
Slips: np.unique sorts the positions and drops repeated ones, and the result is not put back in order; the exponent is i/d instead of 2i/d
Names: flattened, exp_half, sorted_first
Silent: no
Says: A fair person would say: np.unique drops repeats and sorts, so rows are missing and in another order; index back with return_inverse. And the exponent of pair i is 2i/d, yours lacks the 2.
"""
import numpy as np


def sinusoidal_at(positions: np.ndarray, d: int) -> np.ndarray:
    different = np.unique(positions).astype(np.float64)
    i = np.arange(d // 2)
    angles = np.outer(different, 10000.0 ** (-i / d))
    codes = np.zeros((len(different), d))
    codes[:, 0::2] = np.sin(angles)
    codes[:, 1::2] = np.cos(angles)
    return codes
