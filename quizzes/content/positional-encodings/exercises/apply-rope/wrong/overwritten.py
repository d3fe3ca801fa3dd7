"""Does: You write the first numbers of the pairs and then read them again for the second ones.
Should: The second ones should be computed from the first as they were before the turn: keep a copy.
Step: rope/code-it
Kind: mistake
Breaks: 3. A pair (a, b) becomes (a cos - b sin, a sin + b cos): it is turned by the positive angle.
"""

import numpy as np


def apply_rope(x: np.ndarray, cos: np.ndarray, sin: np.ndarray) -> np.ndarray:
    """Turns pairs (2i, 2i+1) of x (B, H, L, D) by the angles of cos and sin (L, D/2)."""
    turned = x.copy()
    a, b = turned[..., 0::2], turned[..., 1::2]
    turned[..., 0::2] = a * cos - b * sin
    turned[..., 1::2] = a * sin + b * cos
    return turned
