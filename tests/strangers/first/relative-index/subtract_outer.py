"""The outer difference of two ranges, clipped and shifted, in one expression.

Truth: right
Slips: none
Names: none
Says: A fair person would say: this is correct.
"""

import numpy as np


def relative_index(Lq: int, Lk: int, k: int) -> np.ndarray:
    return -np.clip(np.subtract.outer(range(Lq), range(Lk)), -k, k) + k
