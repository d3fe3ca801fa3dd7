"""The two halves are the pairs, and they turn backwards: rotate_half has to be (-x2, x1), not (x2, -x1); and here neighbours are the pairs.

Step: rope/two-pairings
Kind: convention
Breaks: 3. A pair (a, b) becomes (a cos - b sin, a sin + b cos): turned by the positive angle.
"""

import numpy as np


def apply_rope(x, cos, sin):
    a, b = np.split(x, 2, axis=-1)
    return np.concatenate([a * cos + b * sin, b * cos - a * sin], axis=-1)
