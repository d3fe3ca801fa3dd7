"""Remainder by the number of rows of query minus key.

Truth: wrong
Slips: distances beyond k wrap around by the remainder instead of being clipped; the sign is i - j
Names: modulo, sign
Silent: yes
Says: A fair person would say: relative positions beyond k must be clipped to k, the remainder sends them to other rows. And it is key minus query, you have it the other way round.
"""

import numpy as np


def relative_index(Lq: int, Lk: int, k: int) -> np.ndarray:
    n_rows = 2 * k + 1
    out = np.empty((Lq, Lk), dtype=np.int64)
    for i in range(Lq):
        for j in range(Lk):
            out[i, j] = (i - j + k) % n_rows
    return out
