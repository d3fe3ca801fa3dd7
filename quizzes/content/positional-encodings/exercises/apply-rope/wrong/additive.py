"""Sine and cosine are added to the vector, as in the sinusoidal encoding. RoPE turns the vector, which is a multiplication.

Step: rope/turn-instead-of-add
Kind: mistake
Breaks: 3. A pair (a, b) becomes (a cos - b sin, a sin + b cos): turned by the positive angle.
"""

import numpy as np


def apply_rope(x, cos, sin):
    return x + np.stack([sin, cos], axis=-1).reshape(x.shape[-2:]).astype(x.dtype)
