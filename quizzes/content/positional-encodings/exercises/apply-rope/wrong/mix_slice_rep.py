"""Does: You take the partners from neighbours (::2, 1::2) but join them as two halves, while the angles are repeated for neighbours. So partners meet the wrong numbers.
Should: The partners should be joined by turns, as they were taken.
Step: rope/two-pairings
Kind: mistake
Breaks: 5. Results stand where their inputs stood: 2i and 2i+1 stay a pair.
"""

import numpy as np


def apply_rope(x, cos, sin):
    a, b = x[..., 0::2], x[..., 1::2]
    cos, sin = np.repeat(cos, 2, axis=-1), np.repeat(sin, 2, axis=-1)
    turned = np.concatenate([-b, a], axis=-1)
    return x * cos + turned * sin
