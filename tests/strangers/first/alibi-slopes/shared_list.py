"""A helper that collects slopes in a list given as default argument.

Truth: wrong
Slips: the default list is kept between calls, so later calls also return the slopes of earlier ones
Names: kept-between-calls
Silent: no
Says: A fair person would say: the list in `found=[]` is made once and grows with every call, so the second call returns too many numbers. Begin with a new list in each call.
"""

import numpy as np


def collect(n, count, step, found=[]):
    for h in range(1, count * step + 1, step):
        found.append(2 ** (-8 * h / n))
    return found


def alibi_slopes(n_heads: int) -> np.ndarray:
    p = 2 ** (n_heads.bit_length() - 1)
    collect(p, p, 1)
    slopes = collect(2 * p, n_heads - p, 2)
    return np.array(slopes)
