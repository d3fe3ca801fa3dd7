"""The two halves of the vector are the pairs: (i, i + D/2), as GPT-NeoX and Llama in transformers have them. Right there; here neighbours are the pairs.

Step: rope/two-pairings
Kind: convention
Breaks: 2. Pair i is made of the numbers 2i and 2i+1 of a vector.
"""

import numpy as np


def apply_rope(x, cos, sin):
    a, b = np.split(x, 2, axis=-1)
    return np.concatenate([a * cos - b * sin, a * sin + b * cos], axis=-1)
