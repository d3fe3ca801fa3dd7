"""One formula for the whole table with np.fromfunction and np.where on the parity of the column.

Truth: right
Slips: none
Names: none
Says: A fair person would say: Correct. Column // 2 gives the pair, and the parity chooses sine or cosine.
"""
import numpy as np


def sinusoidal_table(n: int, d: int, base: float = 10000.0) -> np.ndarray:
    def cell(pos, col):
        angle = pos / base ** (2 * (col // 2) / d)
        return np.where(col % 2 == 0, np.sin(angle), np.cos(angle))

    return np.fromfunction(cell, (n, d))
