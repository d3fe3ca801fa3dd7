"""Does: You use the first number of a pair, at 2i, as the partner of both, perhaps by a slip in a slice. The second, at 2i+1, is never a partner.
Should: Each of the two should meet the other one: the pair is (2i, 2i+1).
Step: rope/two-pairings
Kind: mistake
Breaks: 2. Pair i is made of the numbers 2i and 2i+1 of a vector.
"""

import numpy as np


def apply_rope(x, cos, sin):
    a = x[..., 0::2]
    cos, sin = np.repeat(cos, 2, axis=-1), np.repeat(sin, 2, axis=-1)
    turned = np.stack([-a, a], axis=-1).reshape(x.shape)
    return x * cos + turned * sin
