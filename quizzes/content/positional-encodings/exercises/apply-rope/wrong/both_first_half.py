"""Does: You use the first half of the vector as the partner of both halves, perhaps by a slip in a slice. Your second half is never a partner.
Should: The partners should be neighbours: the pair is (2i, 2i+1).
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
