"""Does: You take the partners from the two halves, but join them by turns as for neighbours, with the angles of neighbours. So partners meet the wrong numbers.
Should: The partners should be neighbours too.
Step: rope/two-pairings
Kind: mistake
Breaks: 5. Results stand where their inputs stood: 2i and 2i+1 stay a pair.
"""

import numpy as np


def apply_rope(x, cos, sin):
    a, b = np.split(x, 2, axis=-1)
    cos, sin = np.repeat(cos, 2, axis=-1), np.repeat(sin, 2, axis=-1)
    turned = np.stack([-b, a], axis=-1).reshape(x.shape)
    return x * cos + turned * sin
