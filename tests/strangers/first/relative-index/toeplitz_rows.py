"""Each row is a window of one long line with a flat start and end.

Truth: right
Slips: none
Names: none
Says: A fair person would say: this is correct.
"""

import numpy as np


def relative_index(Lq: int, Lk: int, k: int) -> np.ndarray:
    line = [min(max(r, -k), k) + k for r in range(-(Lq - 1), Lk)]
    rows = []
    start = Lq - 1
    while start >= 0:
        rows.append(line[start : start + Lk])
        start -= 1
    return np.array(rows, dtype=np.int64)
