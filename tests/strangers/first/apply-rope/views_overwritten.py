"""Copies x and turns the copy through two views.

Truth: wrong
Slips: the second number of a pair is computed from the first one after it was overwritten
Names: overwritten
Silent: yes
Says: A fair person would say: a is a view of out, so a is already turned when you compute the second number. Keep the old numbers, with x[..., 0::2] or a copy.
"""

import numpy as np


def apply_rope(x: np.ndarray, cos: np.ndarray, sin: np.ndarray) -> np.ndarray:
    out = x.copy()
    a, b = out[..., 0::2], out[..., 1::2]
    out[..., 0::2] = a * cos - b * sin
    out[..., 1::2] = a * sin + b * cos
    return out
