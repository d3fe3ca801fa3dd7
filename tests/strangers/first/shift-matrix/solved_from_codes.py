"""Finds each two by two block by solving for it from the codes of two neighbouring positions.

Truth: right
Slips: none
Names: none
Says: A fair person would say: Correct. Two positions are enough to determine each block, and the equations are well conditioned when the two codes stand at a right angle.
"""
import numpy as np


def shift(k: int, d: int, base: float = 10000.0) -> np.ndarray:
    out = np.zeros((d, d))
    for col in range(0, d, 2):
        w = base ** (-col / d)
        # positions 0 and a quarter turn later
        p = np.array([0.0, np.pi / (2 * w)])
        before = np.stack([np.sin(p * w), np.cos(p * w)])
        after = np.stack([np.sin((p + k) * w), np.cos((p + k) * w)])
        out[col : col + 2, col : col + 2] = np.linalg.solve(before.T, after.T).T
    return out
