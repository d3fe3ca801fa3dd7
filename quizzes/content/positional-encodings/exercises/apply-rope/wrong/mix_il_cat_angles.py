"""Does: You turn neighbours, but join the angles as for halves, [cos, cos], so that the two numbers of a pair get different angles.
Should: Each angle should stand twice in a row, since neighbours share it.
Step: rope/two-pairings
Kind: mistake
Breaks: 4b. Column i of cos and sin belongs to pair i.
"""

import numpy as np


def apply_rope(x, cos, sin):
    a, b = x[..., 0::2], x[..., 1::2]
    cos, sin = np.concatenate([cos, cos], axis=-1), np.concatenate([sin, sin], axis=-1)
    turned = np.stack([-b, a], axis=-1).reshape(x.shape)
    return x * cos + turned * sin
