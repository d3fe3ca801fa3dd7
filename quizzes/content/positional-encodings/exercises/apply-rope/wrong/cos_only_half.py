"""Only the cosine term is there, with the angles joined as for halves. The partner times the sine is missing.

Step: rope/many-pairs
Kind: mistake
Breaks: 3. A pair (a, b) becomes (a cos - b sin, a sin + b cos): turned by the positive angle.
"""

import numpy as np


def apply_rope(x, cos, sin):
    cos, sin = np.concatenate([cos, cos], axis=-1), np.concatenate([sin, sin], axis=-1)
    return x * cos
