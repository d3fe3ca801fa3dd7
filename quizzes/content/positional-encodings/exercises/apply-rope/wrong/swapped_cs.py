"""Does: You exchange cosine and sine, so that a pair at position 0 makes a quarter turn.
Should: It should not turn at all there, where the cosine is 1 and the sine 0.
Step: rope/many-pairs
Kind: mistake
Breaks: 3. A pair (a, b) becomes (a cos - b sin, a sin + b cos): turned by the positive angle.
"""

import numpy as np


def apply_rope(x, cos, sin):
    cos, sin = sin, cos
    a, b = x[..., 0::2], x[..., 1::2]
    return np.stack([a * cos - b * sin, a * sin + b * cos], axis=-1).reshape(x.shape)
