"""Turns even and odd numbers and puts the two results one after the other.

Truth: wrong
Slips: the turn is by the negative angle; the turned numbers are put in two halves instead of back at 2i and 2i + 1
Names: sign_il, out_concat
Silent: yes
Says: A fair person would say: your signs turn by the negative angle; it is a cos - b sin and a sin + b cos. And the two numbers of a pair go back to where they were, not all first ones before all second ones.
"""

import numpy as np


def apply_rope(x: np.ndarray, cos: np.ndarray, sin: np.ndarray) -> np.ndarray:
    x_even = x[..., 0::2]
    x_odd = x[..., 1::2]
    rotated_even = x_even * cos + x_odd * sin
    rotated_odd = x_odd * cos - x_even * sin
    return np.concatenate([rotated_even, rotated_odd], axis=-1)
