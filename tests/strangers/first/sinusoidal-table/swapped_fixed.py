"""Fills even and odd columns from a table of angles.

Truth: wrong
Slips: cosines stand in the even columns and sines in the odd ones; the base is fixed at 10000
Names: swap, base_fixed
Silent: yes
Says: A fair person would say: Sines belong in columns 0, 2, 4 and cosines in 1, 3, 5; you have them the other way round. And base is ignored: 10000 is written into the formula.
"""
import numpy as np


def sinusoidal_table(n: int, d: int, base: float = 10000.0) -> np.ndarray:
    pos = np.arange(n).reshape(-1, 1)
    i = np.arange((d + 1) // 2).reshape(1, -1)
    angles = pos / np.power(10000, 2 * i / d)
    table = np.zeros((n, d))
    table[:, 0::2] = np.cos(angles)
    table[:, 1::2] = np.sin(angles)[:, : d // 2]
    return table
