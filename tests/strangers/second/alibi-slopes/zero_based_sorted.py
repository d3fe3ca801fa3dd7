"""Zero-based heads and a sorted result.

Truth: wrong
Slips: heads are counted from 0, so every slope is one step too large; the slopes are sorted from large to small, so left-over heads do not come last
Names: start_at_1, sorted
Silent: yes
Says: A fair person would say: Heads count from 1: the first of four heads has the slope 1/4, yours has 1. And the order of the authors' code is to be kept, with the left-over heads last; nothing is sorted.
"""

import math
import numpy as np


def alibi_slopes(n_heads: int) -> np.ndarray:
    p = 2 ** math.floor(math.log2(n_heads))
    base = [2 ** (-8 * h / p) for h in range(p)]
    extra = [2 ** (-8 * h / (2 * p)) for h in range(0, 2 * p)]
    slopes = base + extra[0::2][: n_heads - p]
    slopes.sort(reverse=True)
    return np.asarray(slopes)
