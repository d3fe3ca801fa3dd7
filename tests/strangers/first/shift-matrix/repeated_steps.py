"""Multiplies the matrix for one step k times in a loop.

Truth: wrong
Slips: the loop over range(k) does nothing for negative k, so these give the identity
Names: k_negative_ignored
Silent: yes
Says: A fair person would say: range(k) is empty for a negative k, so you return the identity. Use the angle k * omega directly, or the transpose for steps back.
"""
import numpy as np


def shift(k: int, d: int, base: float = 10000.0) -> np.ndarray:
    step = np.eye(d)
    for i in range(d // 2):
        omega = base ** (-2 * i / d)
        a, b = 2 * i, 2 * i + 1
        step[a, a] = step[b, b] = np.cos(omega)
        step[a, b] = np.sin(omega)
        step[b, a] = -np.sin(omega)
    matrix = np.eye(d)
    for _ in range(k):
        matrix = step @ matrix
    return matrix
