"""Clipped relative positions as floats.

Truth: wrong
Slips: k is not added, so rows are negative; the result holds floats
Names: no_shift
Silent: yes
Says: A fair person would say: add k after the clip, so that -k becomes row 0. And row numbers must be whole numbers, int32 or int64, yours are floats.
"""

import numpy as np


def relative_index(Lq: int, Lk: int, k: int) -> np.ndarray:
    index = np.zeros((Lq, Lk))
    for i in range(Lq):
        for j in range(Lk):
            index[i, j] = max(-k, min(k, j - i))
    return index
