"""Tables brought to four dimensions for the layout batch, length, heads.

Truth: wrong
Slips: the tables are broadcast along the heads instead of the tokens
Names: head_axis
Silent: no
Says: A fair person would say: x is (B, H, L, D), and your cos[None, :, None, :] puts the positions where the heads are, which fails unless H equals L. Use cos[None, None, :, :] or leave cos as it is.
"""

import numpy as np


def apply_rope(x: np.ndarray, cos: np.ndarray, sin: np.ndarray) -> np.ndarray:
    c = cos[None, :, None, :]
    s = sin[None, :, None, :]
    even, odd = x[..., 0::2], x[..., 1::2]
    new_even = even * c - odd * s
    new_odd = even * s + odd * c
    return np.stack((new_even, new_odd), axis=-1).reshape(x.shape)
