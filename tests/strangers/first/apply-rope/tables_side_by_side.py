"""Neighbouring pairs are turned, the tables are doubled by concatenation.

Truth: wrong
Slips: cos and sin are laid side by side as for half-split pairs, while the numbers are paired as neighbours
Names: mix_il_cat_angles
Silent: yes
Says: A fair person would say: you mix two conventions: the pairs are neighbours but the angles are in the order of half-split pairs. Repeat every column twice with np.repeat instead of concatenating.
"""

import numpy as np


def rotate_pairs(x):
    x1 = x[..., ::2]
    x2 = x[..., 1::2]
    return np.stack((-x2, x1), axis=-1).reshape(x.shape)


def apply_rope(x: np.ndarray, cos: np.ndarray, sin: np.ndarray) -> np.ndarray:
    cos = np.concatenate((cos, cos), axis=-1)
    sin = np.concatenate((sin, sin), axis=-1)
    return (x * cos) + (rotate_pairs(x) * sin)
