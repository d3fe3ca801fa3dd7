"""Does: You turn x itself, and read numbers again that you have overwritten.
Should: The result should be a new array, computed from x as it was before the turn.
Step: rope/code-it
Kind: mistake
Breaks: 1c. x, cos and sin stay as they were.
"""

import numpy as np


def apply_rope(x: np.ndarray, cos: np.ndarray, sin: np.ndarray) -> np.ndarray:
    """Turns pairs (2i, 2i+1) of x (B, H, L, D) by the angles of cos and sin (L, D/2)."""
    a, b = x[..., 0::2], x[..., 1::2]
    turned = x
    turned[..., 0::2] = a * cos - b * sin
    turned[..., 1::2] = a * sin + b * cos
    return turned
