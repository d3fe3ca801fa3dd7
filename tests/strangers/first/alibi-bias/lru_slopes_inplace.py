"""Bias with slopes from an lru_cache, whose sign is turned before they are multiplied with the distances.

Truth: wrong
Slips: the cached array of slopes is negated in place, so every second call with the same number of heads gets positive biases
Names: kept-between-calls
Silent: yes
Says: A fair person would say: `m *= -1` changes the array that lru_cache keeps, so the second call with the same n_heads gives bonuses instead of penalties. Write `m = -slopes(n_heads)` or hand out a copy.
"""

import functools

import numpy as np


@functools.lru_cache
def slopes(n_heads):
    def pow2(n):
        return np.exp2(-8 * np.arange(1, n + 1) / n)

    p = 1
    while 2 * p <= n_heads:
        p *= 2
    return np.concatenate([pow2(p), pow2(2 * p)[::2][: n_heads - p]])


def alibi_bias(n_heads: int, Lq: int, Lk: int) -> np.ndarray:
    i = np.arange(Lk - Lq, Lk)[:, np.newaxis]
    j = np.arange(Lk)[np.newaxis, :]
    m = slopes(n_heads)
    m *= -1
    bias = m[:, None, None] * (i - j)
    bias[:, j > i] = -np.inf
    return bias
