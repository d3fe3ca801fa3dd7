"""Adds k first, then limits the upper and lower end with two assignments.

Truth: wrong
Slips: the upper limit is k after k was added, so all later keys share the middle row; the queries are shifted by Lk - Lq
Names: clip_after, end_aligned
Silent: yes
Says: A fair person would say: once k is added the upper limit is 2k, yours is k, so keys after the query all have the row of the query's own position. And queries count from 0 like keys, without Lk - Lq.
"""

import numpy as np


def relative_index(Lq: int, Lk: int, k: int) -> np.ndarray:
    pos_q = np.arange(Lk - Lq, Lk)
    rel = np.arange(Lk) - pos_q.reshape(-1, 1)
    rel = rel + k
    rel[rel < 0] = 0
    rel[rel > k] = k
    return rel
