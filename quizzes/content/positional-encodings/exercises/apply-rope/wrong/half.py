"""Does: You pair the two halves of the vector, (i, i + D/2), as GPT-NeoX and Llama in transformers do.
Should: Here neighbours should be the pairs: (2i, 2i+1).
Step: rope/two-pairings
Kind: convention
Breaks: 2. Pair i is made of the numbers 2i and 2i+1 of a vector.
"""

import numpy as np


def apply_rope(x, cos, sin):
    a, b = np.split(x, 2, axis=-1)
    return np.concatenate([a * cos - b * sin, a * sin + b * cos], axis=-1)
