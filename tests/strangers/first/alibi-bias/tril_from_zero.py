"""Vectorised bias with query positions from arange(Lq) and np.where for the mask.

Truth: wrong
Slips: the queries stand at the first Lq positions instead of the last
Names: start_aligned
Silent: yes
Says: A fair person would say: your queries count from 0, but they are the last Lq of the Lk positions. Add Lk - Lq to the row number before you take distances and mask.
"""

import numpy as np


def alibi_bias(n_heads: int, Lq: int, Lk: int) -> np.ndarray:
    def power_of_two_slopes(n):
        return 2.0 ** (-8.0 * np.arange(1, n + 1) / n)

    p = 2 ** int(np.log2(n_heads))
    slopes = power_of_two_slopes(p)
    if p < n_heads:
        slopes = np.concatenate([slopes, power_of_two_slopes(2 * p)[::2][: n_heads - p]])

    q = np.arange(Lq)[:, None]
    k = np.arange(Lk)[None, :]
    distance = q - k
    bias = -slopes[:, None, None] * distance
    return np.where(distance >= 0, bias, -np.inf)
