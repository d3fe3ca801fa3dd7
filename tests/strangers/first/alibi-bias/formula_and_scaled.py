"""Bias with one formula for all slopes, divided by the root of the number of keys.

Truth: wrong
Slips: the formula for powers of two is used for any number of heads; the bias is divided by the square root of Lk
Names: geometric_any_n
Silent: yes
Says: A fair person would say: for a number of heads that is no power of two the slopes are made of two series, not of one. And nothing else is done to the numbers: leave out the division by the root.
"""

import math
import numpy as np


def alibi_bias(n_heads: int, Lq: int, Lk: int) -> np.ndarray:
    bias = np.empty((n_heads, Lq, Lk), dtype=np.float32)
    for head in range(1, n_heads + 1):
        slope = math.pow(2, -8 * head / n_heads)
        for row in range(Lq):
            query = row + Lk - Lq
            for key in range(Lk):
                if key > query:
                    bias[head - 1, row, key] = -np.inf
                else:
                    bias[head - 1, row, key] = -slope * (query - key) / math.sqrt(Lk)
    return bias
