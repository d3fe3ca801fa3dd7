"""One long line of relative distances, cut into rows with a sliding window, slopes by recursion.

Truth: right
Slips: none
Names: none
Says: A fair person would say: this is correct; the rows, the slopes and minus infinity are all as asked.
"""

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view


def slope_list(n):
    if n & (n - 1) == 0:
        return [2.0 ** (-8.0 * h / n) for h in range(1, n + 1)]
    p = 1 << (n.bit_length() - 1)
    return slope_list(p) + slope_list(2 * p)[0::2][: n - p]


def alibi_bias(n_heads: int, Lq: int, Lk: int) -> np.ndarray:
    # line[t] is the entry for a key that stands t - (Lk - 1) after the query
    past = np.arange(-(Lk - 1), 1, dtype=float)
    future = np.full(Lk - 1, -np.inf)
    line = np.concatenate([past, future])
    rows = sliding_window_view(line, Lk)[:Lq][::-1]
    return np.multiply.outer(np.array(slope_list(n_heads)), rows)
