"""Does: You turn every pair backwards: (a cos + b sin, b cos - a sin) is a turn by the negative angle.
Should: Here it should be the positive angle: (a cos - b sin, a sin + b cos).
Step: rope/many-pairs
Kind: convention
Breaks: 3. A pair (a, b) becomes (a cos - b sin, a sin + b cos): turned by the positive angle.
"""

import numpy as np


def apply_rope(x, cos, sin):
    a, b = x[..., 0::2], x[..., 1::2]
    return np.stack([a * cos + b * sin, b * cos - a * sin], axis=-1).reshape(x.shape)
