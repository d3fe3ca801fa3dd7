"""Multiplies the matrix of one step k times.

Truth: wrong
Slips: for negative k the loop does not run and the result is the identity
Names: k_negative_ignored
Silent: yes
Says: A fair person would say: range(k) is empty for a negative k, so nothing moves. k = -3 should move three positions back: put k into the angle, k times omega, instead of repeating steps.
"""

import numpy as np


def shift(
    k: int,
    d: int,
    base: float = 10000.0,
) -> np.ndarray:
    """The matrix M with PE(p + k) = M @ PE(p)."""
    omega = base ** (-np.arange(0, d, 2) / d)
    step = np.zeros((d, d))
    even = np.arange(0, d, 2)
    odd = even + 1
    step[even, even] = np.cos(omega)
    step[even, odd] = np.sin(omega)
    step[odd, even] = -np.sin(omega)
    step[odd, odd] = np.cos(omega)

    matrix = np.eye(d)
    for _ in range(k):
        matrix = step @ matrix
    return matrix
