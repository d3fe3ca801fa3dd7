"""A two by two rotation matrix for each token and pair, applied with einsum.

Truth: right
Slips: none
Names: none
Says: A fair person would say: this is correct.
"""

import numpy as np


def apply_rope(x: np.ndarray, cos: np.ndarray, sin: np.ndarray) -> np.ndarray:
    B, H, L, D = x.shape
    R = np.empty((L, D // 2, 2, 2), dtype=x.dtype)
    R[..., 0, 0] = R[..., 1, 1] = cos
    R[..., 0, 1] = -sin
    R[..., 1, 0] = sin
    pairs = x.reshape(B, H, L, D // 2, 2)
    return np.einsum("lpij,bhlpj->bhlpi", R, pairs).reshape(B, H, L, D)
