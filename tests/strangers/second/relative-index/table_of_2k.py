"""Shifts first and clips the rows, with loops.

Truth: wrong
Slips: rows are clipped to 2k - 1, so the last row of the table is never used; the result has a float dtype
Names: rows_2k
Silent: yes
Says: A fair person would say: The table has 2k + 1 rows, the last is 2k, and you clip at 2k - 1. And np.zeros makes floats; an index needs whole numbers, dtype=int.
"""

import numpy as np


def relative_index(Lq: int, Lk: int, k: int) -> np.ndarray:
    index = np.zeros((Lq, Lk))
    for i in range(Lq):
        for j in range(Lk):
            row = j - i + k
            index[i, j] = max(0, min(row, 2 * k - 1))
    return index
