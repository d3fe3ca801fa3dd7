"""Does: You take the partners from neighbours (::2, 1::2) but join them as two halves. So partners meet the wrong numbers, and your scores no longer depend on the distance alone.
Should: The partners should be joined by turns, as they were taken, and each angle should stand twice in a row.
Step: rope/two-pairings
Kind: mistake
Breaks: 5. Results stand where their inputs stood: 2i and 2i+1 stay a pair.
"""

import numpy as np


def apply_rope(x, cos, sin):
    a, b = x[..., 0::2], x[..., 1::2]
    cos, sin = np.concatenate([cos, cos], axis=-1), np.concatenate([sin, sin], axis=-1)
    turned = np.concatenate([-b, a], axis=-1)
    return x * cos + turned * sin
