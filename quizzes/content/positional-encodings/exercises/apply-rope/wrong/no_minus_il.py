"""Does: You leave out the minus sign. Your (a cos + b sin, b cos + a sin) is no turn: lengths change.
Should: It should be (a cos - b sin, a sin + b cos).
Step: rope/many-pairs
Kind: mistake
Breaks: 3. A pair (a, b) becomes (a cos - b sin, a sin + b cos): turned by the positive angle.
"""

import numpy as np


def apply_rope(x, cos, sin):
    a, b = x[..., 0::2], x[..., 1::2]
    cos, sin = np.repeat(cos, 2, axis=-1), np.repeat(sin, 2, axis=-1)
    turned = np.stack([b, a], axis=-1).reshape(x.shape)
    return x * cos + turned * sin
