"""Does: You leave out the minus sign and pair the two halves. Your (a cos + b sin, b cos + a sin) is no turn: lengths change.
Should: It should be (a cos - b sin, a sin + b cos), with neighbours as pairs.
Step: rope/many-pairs
Kind: mistake
Breaks: 3. A pair (a, b) becomes (a cos - b sin, a sin + b cos): turned by the positive angle.
"""

import numpy as np


def apply_rope(x, cos, sin):
    a, b = np.split(x, 2, axis=-1)
    cos, sin = np.concatenate([cos, cos], axis=-1), np.concatenate([sin, sin], axis=-1)
    turned = np.concatenate([b, a], axis=-1)
    return x * cos + turned * sin
