"""Does: You pair the two halves and turn them backwards, by the negative angle, as a rotate_half of (x2, -x1) in place of (-x2, x1) does.
Should: Here neighbours should be the pairs, turned by the positive angle.
Step: rope/two-pairings
Kind: convention
Breaks: 3. A pair (a, b) becomes (a cos - b sin, a sin + b cos): turned by the positive angle.
"""

import numpy as np


def apply_rope(x, cos, sin):
    a, b = np.split(x, 2, axis=-1)
    return np.concatenate([a * cos + b * sin, b * cos - a * sin], axis=-1)
