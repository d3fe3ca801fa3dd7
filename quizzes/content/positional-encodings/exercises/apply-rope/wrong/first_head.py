"""Does: You turn the first head alone: all others come back as they were.
Should: Every head should turn, all by the same angles.
Step: rope/code-it
Kind: mistake
Breaks: 4c. cos and sin are for every sequence and every head.
"""

import numpy as np


def apply_rope(x: np.ndarray, cos: np.ndarray, sin: np.ndarray) -> np.ndarray:
    """Turns pairs (2i, 2i+1) of x (B, H, L, D) by the angles of cos and sin (L, D/2)."""
    a, b = x[..., 0::2], x[..., 1::2]
    turned = x.copy()
    turned[:, 0, :, 0::2] = (a * cos - b * sin)[:, 0]
    turned[:, 0, :, 1::2] = (a * sin + b * cos)[:, 0]
    return turned
