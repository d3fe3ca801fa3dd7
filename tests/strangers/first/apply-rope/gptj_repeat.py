"""GPT-J's rotate_every_two, cosines and sines repeated for neighbours.

Truth: right
Slips: none
Names: none
Says: A fair person would say: this is correct.
"""

import numpy as np


def rotate_every_two(x):
    swapped = x.reshape(*x.shape[:-1], -1, 2)[..., ::-1].reshape(x.shape).copy()
    swapped[..., ::2] *= -1
    return swapped


def apply_rope(x: np.ndarray, cos: np.ndarray, sin: np.ndarray) -> np.ndarray:
    cos, sin = (np.repeat(t, 2, axis=-1) for t in (cos, sin))
    return x * cos + rotate_every_two(x) * sin
