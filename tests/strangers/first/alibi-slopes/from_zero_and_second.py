"""Vectorised version with arange(n) and slicing for the left-over heads.

Truth: wrong
Slips: heads are counted from 0, so the first slope is 1
Names: start_at_1, start_at_1_power
Silent: yes
Says: A fair person would say: heads count from 1, so with 4 heads the first slope is 1/4 and not 1. The left-over slopes are right, because `[1::2]` makes up for counting from 0; with heads from 1 it becomes `[0::2]`.
"""

import numpy as np


def alibi_slopes(n_heads: int) -> np.ndarray:
    def simple(n):
        return 2.0 ** (-8.0 * np.arange(n) / n)

    p = int(2 ** np.floor(np.log2(n_heads)))
    slopes = simple(p)
    if p != n_heads:
        slopes = np.concatenate((slopes, simple(2 * p)[1::2][: n_heads - p]))
    return slopes
