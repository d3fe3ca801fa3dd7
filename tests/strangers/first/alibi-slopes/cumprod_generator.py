"""Slopes by a running product and a generator that steps through them.

Truth: right
Slips: none
Names: none
Says: A fair person would say: this is correct.
"""

from itertools import accumulate, chain, islice, repeat
from operator import mul

import numpy as np


def series(n):
    """r, r**2, r**3, ... for n heads"""
    return accumulate(repeat(0.5 ** (8 / n), n), mul)


def alibi_slopes(n_heads: int) -> np.ndarray:
    p = 1
    while p << 1 <= n_heads:
        p <<= 1
    rest = islice(series(p << 1), 0, None, 2)
    both = islice(chain(series(p), rest), n_heads)
    return np.fromiter(both, dtype=np.float64, count=n_heads)
