"""Does: You stack the two results of a pair in an axis of their own, so your result has the shape (B, H, L, D/2, 2).
Should: The result should have the shape of x: join the last two axes with reshape.
Step: rope/code-it
Kind: mistake
Breaks: 1a. The result is an array of the shape of x.
"""

import numpy as np


def apply_rope(x: np.ndarray, cos: np.ndarray, sin: np.ndarray) -> np.ndarray:
    """Turns pairs (2i, 2i+1) of x (B, H, L, D) by the angles of cos and sin (L, D/2)."""
    a, b = x[..., 0::2], x[..., 1::2]
    return np.stack([a * cos - b * sin, a * sin + b * cos], axis=-1)
