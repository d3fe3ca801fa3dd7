"""Does: Your second number of a pair is b cos - a sin, and you pair the two halves.
Should: It should be a sin + b cos, with neighbours as pairs.
Step: rope/many-pairs
Kind: mistake
Breaks: 3. A pair (a, b) becomes (a cos - b sin, a sin + b cos): turned by the positive angle.
"""

import numpy as np


def apply_rope(x, cos, sin):
    a, b = np.split(x, 2, axis=-1)
    return np.concatenate([a * cos - b * sin, b * cos - a * sin], axis=-1)
