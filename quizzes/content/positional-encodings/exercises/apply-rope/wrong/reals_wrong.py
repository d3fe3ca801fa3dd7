"""Does: Your second number of a pair is b cos - a sin. With two minus signs it is no turn.
Should: It should be a sin + b cos.
Step: rope/many-pairs
Kind: mistake
Breaks: 3. A pair (a, b) becomes (a cos - b sin, a sin + b cos): turned by the positive angle.
"""

import numpy as np


def apply_rope(x, cos, sin):
    a, b = x[..., 0::2], x[..., 1::2]
    return np.stack([a * cos - b * sin, b * cos - a * sin], axis=-1).reshape(x.shape)
