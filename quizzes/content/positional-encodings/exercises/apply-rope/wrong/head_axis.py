"""Does: You let the rows of cos and sin go along the heads, so that every token of a head turns by the same angle.
Should: They should go along the tokens, the last axis but one of (B, H, L, D).
Step: rope/code-it
Kind: mistake
Breaks: 4a. Row p of cos and sin belongs to token p.
"""

import numpy as np


def apply_rope(x, cos, sin):
    cos, sin = cos[: x.shape[1], None], sin[: x.shape[1], None]
    a, b = x[..., 0::2], x[..., 1::2]
    return np.stack([a * cos - b * sin, a * sin + b * cos], axis=-1).reshape(x.shape)
