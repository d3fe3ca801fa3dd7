"""Both halves are the first half, by a slip in a slice: the second half is never used as a partner.

Step: rope/two-pairings
Kind: mistake
Breaks: 2. Pair i is made of the numbers 2i and 2i+1 of a vector.
"""

import numpy as np


def apply_rope(x, cos, sin):
    a = np.split(x, 2, axis=-1)[0]
    cos, sin = np.concatenate([cos, cos], axis=-1), np.concatenate([sin, sin], axis=-1)
    turned = np.concatenate([-a, a], axis=-1)
    return x * cos + turned * sin
