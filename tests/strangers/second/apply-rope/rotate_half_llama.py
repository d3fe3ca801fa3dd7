"""The rotate_half of the Llama code in transformers, in NumPy.

Truth: other convention
Slips: half-split pairs (i with i + D/2) instead of neighbours
Names: half
Says: A fair person would say: This is how GPT-NeoX and Llama in transformers pair the numbers, and it is consistent, but here the pairs are neighbours, 2i and 2i + 1.
"""

import numpy as np


def rotate_half(x):
    half = x.shape[-1] // 2
    return np.concatenate([-x[..., half:], x[..., :half]], axis=-1)


def apply_rope(x: np.ndarray, cos: np.ndarray, sin: np.ndarray) -> np.ndarray:
    cos = np.concatenate([cos, cos], axis=-1)
    sin = np.concatenate([sin, sin], axis=-1)
    return x * cos + rotate_half(x) * sin
