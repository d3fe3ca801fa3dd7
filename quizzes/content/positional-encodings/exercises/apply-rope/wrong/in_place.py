"""Does: You write the results into x, so the caller's array changes.
Should: The result should be a new array, and x should stay as it was.
Step: rope/code-it
Kind: mistake
Breaks: 1c. x, cos and sin stay as they were.
"""

import numpy as np


def apply_rope(x: np.ndarray, cos: np.ndarray, sin: np.ndarray) -> np.ndarray:
    """Turns pairs (2i, 2i+1) of x (B, H, L, D) by the angles of cos and sin (L, D/2)."""
    a, b = x[..., 0::2], x[..., 1::2]
    x[..., 0::2], x[..., 1::2] = a * cos - b * sin, a * sin + b * cos
    return x
