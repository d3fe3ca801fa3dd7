"""Neighbours are rotated, cosines and sines are widened to D columns.

Truth: wrong
Slips: cos and sin are tiled as for half-split pairs while the numbers are paired as neighbours
Names: mix_il_cat_angles
Silent: yes
Says: A fair person would say: You rotate neighbours but tile cos and sin as [c0, c1, ..., c0, c1, ...], so the two numbers of a pair get different angles. Repeat every column twice instead (np.repeat along the last axis).
"""

import numpy as np


def rotate_pairs(x):
    out = np.empty_like(x)
    out[..., 0::2] = -x[..., 1::2]
    out[..., 1::2] = x[..., 0::2]
    return out


def apply_rope(x: np.ndarray, cos: np.ndarray, sin: np.ndarray) -> np.ndarray:
    full_cos = np.tile(cos, (1, 2))
    full_sin = np.tile(sin, (1, 2))
    return x * full_cos + rotate_pairs(x) * full_sin
