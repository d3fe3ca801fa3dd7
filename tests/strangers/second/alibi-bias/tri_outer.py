"""Slopes by halving exponents in a list, distances by an outer subtraction, mask with np.tri.

Truth: right
Slips: none
Names: none
Says: A fair person would say: This is correct: slopes, query positions and the mask are those asked for.
"""

import numpy as np


def _geometric(n):
    ratio = 0.5 ** (8.0 / n)
    return ratio ** np.arange(1, n + 1)


def alibi_bias(n_heads, Lq, Lk):
    p = 1
    while 2 * p <= n_heads:
        p *= 2
    m = np.append(_geometric(p), _geometric(2 * p)[::2])[:n_heads]

    past = Lk - Lq
    dist = np.subtract.outer(np.arange(past, Lk), np.arange(Lk)).astype(np.float32)
    visible = np.tri(Lq, Lk, past, dtype=bool)
    penalty = np.where(visible, dist, np.inf)
    return (-np.einsum("h,qk->hqk", m, penalty)).astype(np.float32)
