"""Follows the rule with a helper for powers of two; the rest come from twice as many heads.

Truth: wrong
Slips: the left-over heads take the first slopes of 2P heads instead of every second one
Names: extra_first
Silent: yes
Says: A fair person would say: The left-over heads should take every second slope of 2P heads, beginning with the first; you take the first H - P of them one after the other. Seven heads show it: the sixth must have the third slope of eight, not the second.
"""

import numpy as np


def power_of_two_slopes(n):
    start = 2 ** (-8 / n)
    return [start * start**i for i in range(n)]


def alibi_slopes(n_heads: int) -> np.ndarray:
    closest = 2 ** int(np.floor(np.log2(n_heads)))
    slopes = power_of_two_slopes(closest)
    missing = n_heads - closest
    if missing > 0:
        slopes += power_of_two_slopes(2 * closest)[:missing]
    return np.array(slopes, dtype=np.float32)
