"""The short vectorised form with div_term.

Truth: wrong
Slips: for odd d there is one cosine too many, and the assignment raises
Names: odd_crash
Silent: no
Says: A fair person would say: For an odd d there are fewer odd columns than even ones, so cutting the cosines to d // 2 columns is needed. As it stands NumPy raises a ValueError.
"""
import numpy as np


def sinusoidal_table(n: int, d: int, base: float = 10000.0) -> np.ndarray:
    position = np.arange(n)[:, np.newaxis]
    div_term = np.exp(np.arange(0, d, 2) * -(np.log(base) / d))
    pe = np.zeros((n, d))
    pe[:, 0::2] = np.sin(position * div_term)
    pe[:, 1::2] = np.cos(position * div_term)
    return pe
