"""Does: You let the rows of cos and sin go along the heads, and you pair the two halves.
Should: The rows should go along the tokens, the last axis but one of (B, H, L, D), and neighbours should be the pairs.
Step: rope/code-it
Kind: mistake
Breaks: 4a. Row p of cos and sin belongs to token p.
"""

import numpy as np


def apply_rope(x, cos, sin):
    cos, sin = cos[: x.shape[1], None], sin[: x.shape[1], None]
    a, b = np.split(x, 2, axis=-1)
    return np.concatenate([a * cos - b * sin, a * sin + b * cos], axis=-1)
