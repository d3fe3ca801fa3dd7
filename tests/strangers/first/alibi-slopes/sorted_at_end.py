"""Recursion as in the authors' code, sorted from steep to flat.

Truth: wrong
Slips: the slopes are sorted
Names: sorted
Silent: yes
Says: A fair person would say: the numbers are right but not their order: you sort them, and the left-over heads should stay at the end.
"""

import numpy as np


def geometric(n):
    return 2.0 ** (-8.0 / n * np.arange(1, n + 1))


def alibi_slopes(n_heads: int) -> np.ndarray:
    if n_heads & (n_heads - 1) == 0:
        return geometric(n_heads)
    p = 2 ** (n_heads.bit_length() - 1)
    slopes = np.append(geometric(p), geometric(2 * p)[::2][: n_heads - p])
    return np.sort(slopes)[::-1].copy()
