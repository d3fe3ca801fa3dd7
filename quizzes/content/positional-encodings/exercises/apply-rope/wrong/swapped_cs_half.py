"""Does: You exchange cosine and sine, so that a pair at position 0 makes a quarter turn, and you pair the two halves.
Should: It should not turn at all there, and neighbours should be the pairs.
Step: rope/many-pairs
Kind: mistake
Breaks: 3. A pair (a, b) becomes (a cos - b sin, a sin + b cos): turned by the positive angle.
"""

import numpy as np


def apply_rope(x, cos, sin):
    cos, sin = sin, cos
    a, b = np.split(x, 2, axis=-1)
    return np.concatenate([a * cos - b * sin, a * sin + b * cos], axis=-1)
