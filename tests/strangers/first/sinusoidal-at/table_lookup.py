"""Builds the usual table up to the largest position and picks rows from it.

Truth: wrong
Slips: positions become whole numbers to serve as row numbers, so fractions are cut off
Names: int_cast
Silent: yes
Says: A fair person would say: Position 2.5 gets the code of position 2, because you convert to int to look up a row. Compute the angles from the positions themselves.
"""
import numpy as np


def sinusoidal_at(positions: np.ndarray, d: int) -> np.ndarray:
    rows = positions.astype(int)
    pos = np.arange(rows.max() + 1, dtype=np.float64)[:, None]
    div = 10000.0 ** (np.arange(0, d, 2) / d)
    table = np.zeros((len(pos), d))
    table[:, 0::2] = np.sin(pos / div)
    table[:, 1::2] = np.cos(pos / div)
    return table[rows]
