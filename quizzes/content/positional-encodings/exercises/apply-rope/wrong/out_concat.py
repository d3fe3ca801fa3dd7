"""Neighbours are read as pairs, but written as two halves: all first numbers, then all second ones. Scores come out right, the vectors are in another order.

Step: rope/two-pairings
Kind: convention
Breaks: 5. Results stand where their inputs stood: 2i and 2i+1 stay a pair.
"""

import numpy as np


def apply_rope(x, cos, sin):
    a, b = x[..., 0::2], x[..., 1::2]
    return np.concatenate([a * cos - b * sin, a * sin + b * cos], axis=-1)
