"""Does: You read neighbours as pairs, but write the results as two halves. Scores come out right, but the numbers of your vectors are in another order.
Should: The two results of a pair should be at 2i and 2i+1.
Step: rope/two-pairings
Kind: convention
Breaks: 5. Results are where their inputs were: 2i and 2i+1 stay a pair.
"""

import numpy as np


def apply_rope(x, cos, sin):
    a, b = x[..., 0::2], x[..., 1::2]
    return np.concatenate([a * cos - b * sin, a * sin + b * cos], axis=-1)
