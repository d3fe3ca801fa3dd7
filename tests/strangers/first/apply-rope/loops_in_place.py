"""Loops over tokens and pairs that write into x.

Truth: wrong
Slips: x itself is changed; the second number has a minus instead of a plus
Names: in_place
Silent: yes
Says: A fair person would say: you write into x, which has to stay as it was, so start from a new array. And the second number is a sin + b cos, where you have a sin - b cos.
"""

import numpy as np


def apply_rope(x: np.ndarray, cos: np.ndarray, sin: np.ndarray) -> np.ndarray:
    length, dim = x.shape[2], x.shape[3]
    for p in range(length):
        for i in range(dim // 2):
            c, s = cos[p, i], sin[p, i]
            a = x[:, :, p, 2 * i].copy()
            b = x[:, :, p, 2 * i + 1].copy()
            x[:, :, p, 2 * i] = a * c - b * s
            x[:, :, p, 2 * i + 1] = a * s - b * c
    return x
