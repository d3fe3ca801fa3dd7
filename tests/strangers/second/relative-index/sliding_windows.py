"""One clipped line of all relative positions, read through sliding windows.

Truth: right
Slips: none
Names: none
Says: A fair person would say: This is correct; each row is the line of relative positions moved by one.
"""

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view


def relative_index(Lq, Lk, k):
    line = np.arange(1 - Lq, Lk)
    line = np.minimum(np.maximum(line, -k), k) + k
    return sliding_window_view(line, Lk)[::-1].copy()
