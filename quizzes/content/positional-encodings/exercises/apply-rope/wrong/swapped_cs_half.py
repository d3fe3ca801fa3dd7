"""Cosine and sine are exchanged, and halves are the pairs: position 0 turns by a quarter instead of not at all.

Step: rope/many-pairs
Kind: mistake
Breaks: 3. A pair (a, b) becomes (a cos - b sin, a sin + b cos): turned by the positive angle.
"""

import numpy as np


def apply_rope(x, cos, sin):
    cos, sin = sin, cos
    a, b = np.split(x, 2, axis=-1)
    return np.concatenate([a * cos - b * sin, a * sin + b * cos], axis=-1)
