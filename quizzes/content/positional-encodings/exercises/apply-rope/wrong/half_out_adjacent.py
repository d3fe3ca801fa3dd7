"""Halves are read as pairs, and written as neighbours. Scores come out right, the vectors are in another order.

Step: rope/two-pairings
Kind: convention
Breaks: 2. Pair i is made of the numbers 2i and 2i+1 of a vector.
"""

import numpy as np


def apply_rope(x, cos, sin):
    a, b = np.split(x, 2, axis=-1)
    return np.stack([a * cos - b * sin, a * sin + b * cos], axis=-1).reshape(x.shape)
