"""Does: You return float16 numbers, which have three digits.
Should: The result should have the dtype of x.
Step: rope/code-it
Kind: mistake
Breaks: 1b. The result is in the dtype of x.
"""

import numpy as np


def apply_rope(x: np.ndarray, cos: np.ndarray, sin: np.ndarray) -> np.ndarray:
    """Turns pairs (2i, 2i+1) of x (B, H, L, D) by the angles of cos and sin (L, D/2)."""
    a, b = x[..., 0::2], x[..., 1::2]
    turned = np.empty_like(x)
    turned[..., 0::2] = a * cos - b * sin
    turned[..., 1::2] = a * sin + b * cos
    return turned.astype(np.float16)
