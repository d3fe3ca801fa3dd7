"""Does: You turn the two halves, but let each angle stand twice in a row, as for neighbours, so that the two numbers of a pair get different angles.
Should: Neighbours should be the pairs, as your angles have it.
Step: rope/two-pairings
Kind: mistake
Breaks: 4b. Column i of cos and sin belongs to pair i.
"""

import numpy as np


def apply_rope(x, cos, sin):
    a, b = np.split(x, 2, axis=-1)
    cos, sin = np.repeat(cos, 2, axis=-1), np.repeat(sin, 2, axis=-1)
    turned = np.concatenate([-b, a], axis=-1)
    return x * cos + turned * sin
