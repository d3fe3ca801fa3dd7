"""Code for Llama with rotate_half, in NumPy.

Truth: other convention
Slips: the pairs are half-split instead of neighbours
Names: half
Says: A fair person would say: your code is right for half-split pairs, as in Llama's code in transformers. Here pairs are neighbours: the numbers 2i and 2i + 1.
"""

import numpy as np


def rotate_half(x):
    half = x.shape[-1] // 2
    return np.concatenate((-x[..., half:], x[..., :half]), axis=-1)


def apply_rope(x: np.ndarray, cos: np.ndarray, sin: np.ndarray) -> np.ndarray:
    cos = np.concatenate((cos, cos), axis=-1)
    sin = np.concatenate((sin, sin), axis=-1)
    return x * cos + rotate_half(x) * sin
