"""Vectorised with index arrays for the even and the odd places.

Truth: wrong
Slips: the absolute value of k is used, so moving back moves forward; the exponent is i/d instead of 2i/d
Names: k_absolute, exp_half
Silent: yes
Says: A fair person would say: Keep the sign of k, because moving back turns the other way. And omega_i is base ** (-2i/d): with i counting pairs you need the factor 2.
"""
import numpy as np


def shift(k: int, d: int, base: float = 10000.0) -> np.ndarray:
    i = np.arange(d // 2)
    angle = abs(k) * base ** (-i / d)
    M = np.zeros((d, d))
    M[2 * i, 2 * i] = np.cos(angle)
    M[2 * i, 2 * i + 1] = np.sin(angle)
    M[2 * i + 1, 2 * i] = -np.sin(angle)
    M[2 * i + 1, 2 * i + 1] = np.cos(angle)
    return M
