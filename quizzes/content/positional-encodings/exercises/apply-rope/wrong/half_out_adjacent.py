"""Does: You read the two halves as pairs and write the results as neighbours. Your scores are those of half-split pairs, not those of neighbours, and the numbers of your vectors are in another order.
Should: Pairs should be read as neighbours too: (2i, 2i+1).
Step: rope/two-pairings
Kind: convention
Breaks: 2. Pair i is made of the numbers 2i and 2i+1 of a vector.
"""

import numpy as np


def apply_rope(x, cos, sin):
    a, b = np.split(x, 2, axis=-1)
    return np.stack([a * cos - b * sin, a * sin + b * cos], axis=-1).reshape(x.shape)
