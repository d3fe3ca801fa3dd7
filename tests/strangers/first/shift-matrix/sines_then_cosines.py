"""The matrix for codes with all sines in the first half and all cosines in the second.

Truth: other convention
Slips: the pairs are places i and i + d/2, as for tables with sines and cosines in two halves
Names: concat
Says: A fair person would say: This is the matrix for codes whose sines all come before the cosines. Here sine and cosine of a pair are neighbours, so the blocks sit on the diagonal.
"""
import numpy as np


def shift(k: int, d: int, base: float = 10000.0) -> np.ndarray:
    omega = base ** (-np.arange(0, d, 2) / d)
    C = np.diag(np.cos(k * omega))
    S = np.diag(np.sin(k * omega))
    return np.block([[C, S], [-S, C]])
