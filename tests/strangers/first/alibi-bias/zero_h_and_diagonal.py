"""Short vectorised version with slopes from range(n) and a triangular mask.

Truth: wrong
Slips: heads are counted from 0 so that the first slope is 1; the mask also hides the query's own position
Names: start_at_1, mask_strict
Silent: yes
Says: A fair person would say: heads count from 1, so the first slope is 2^(-8/H) and not 1. And a query sees itself: only keys with j > i get minus infinity, the diagonal stays 0.
"""

import numpy as np


def pow2_slopes(n):
    return np.array([2 ** (-8 * h / n) for h in range(n)])


def alibi_bias(n_heads: int, Lq: int, Lk: int) -> np.ndarray:
    p = 2 ** int(np.floor(np.log2(n_heads)))
    m = np.concatenate([pow2_slopes(p), pow2_slopes(2 * p)[0::2][: n_heads - p]])
    offset = Lk - Lq
    i = np.arange(Lq).reshape(-1, 1) + offset
    j = np.arange(Lk).reshape(1, -1)
    bias = -m.reshape(-1, 1, 1) * (i - j)
    mask = np.triu(np.ones((Lq, Lk), dtype=bool), k=offset)
    bias[:, mask] = -np.inf
    return bias
