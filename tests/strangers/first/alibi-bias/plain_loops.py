"""Three nested loops in plain Python that fill an array of minus infinities.

Truth: right
Slips: none
Names: none
Says: A fair person would say: this is correct, only slow.
"""

import numpy as np


def get_slope(h, n_heads):
    """slope of head h, counted from 0"""
    p = 1
    while p * 2 <= n_heads:
        p *= 2
    if h < p:
        return 2 ** (-8 * (h + 1) / p)
    number = 2 * (h - p) + 1
    return 2 ** (-8 * number / (2 * p))


def alibi_bias(n_heads: int, Lq: int, Lk: int) -> np.ndarray:
    result = np.full((n_heads, Lq, Lk), -np.inf)
    for h in range(n_heads):
        m = get_slope(h, n_heads)
        for r in range(Lq):
            i = r + Lk - Lq
            for j in range(i + 1):
                result[h, r, j] = -m * (i - j)
    return result
