"""Only the cosine term is there: each number is multiplied by its cosine. The partner times the sine is missing.

Step: rope/many-pairs
Kind: mistake
Breaks: 3. A pair (a, b) becomes (a cos - b sin, a sin + b cos): turned by the positive angle.
"""

import numpy as np


def apply_rope(x, cos, sin):
    cos, sin = np.repeat(cos, 2, axis=-1), np.repeat(sin, 2, axis=-1)
    return x * cos
