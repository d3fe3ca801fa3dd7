"""Does: You add sine and cosine to the vector, as the sinusoidal encoding does.
Should: Each pair should be multiplied by them: (a cos - b sin, a sin + b cos).
Step: rope/turn-instead-of-add
Kind: mistake
Breaks: 3. A pair (a, b) becomes (a cos - b sin, a sin + b cos): turned by the positive angle.
"""

import numpy as np


def apply_rope(x, cos, sin):
    return x + np.stack([sin, cos], axis=-1).reshape(x.shape[-2:]).astype(x.dtype)
