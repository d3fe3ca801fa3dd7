"""Slopes of the next power of two above, cut to the number of heads.

Truth: wrong
Slips: for other numbers of heads it takes the first slopes of the next larger power of two
Names: next_pow2
Silent: yes
Says: A fair person would say: for 6 heads you cut off the slopes of 8 heads. It should be the slopes of 4 heads first and then every second slope of 8.
"""

import math

import numpy as np


def alibi_slopes(n_heads: int) -> np.ndarray:
    # round up to a power of two, then cut
    n = 2 ** math.ceil(math.log2(n_heads))
    h = np.arange(1, n + 1)
    slopes = 2.0 ** (-8.0 * h / n)
    return slopes[:n_heads]
