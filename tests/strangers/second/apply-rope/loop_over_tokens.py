"""Loops over positions and pairs with small rotation matrices.

Truth: wrong
Slips: x itself is overwritten; the pair is multiplied by the transposed matrix, a turn by the negative angle
Names: sign_il, in_place
Silent: yes
Says: A fair person would say: Your matrix [[c, s], [-s, c]] turns by the negative angle; with a column (a, b) it should be [[c, -s], [s, c]]. And np.asarray does not copy, so you change the caller's x: start from x.copy().
"""

import numpy as np


def apply_rope(x: np.ndarray, cos: np.ndarray, sin: np.ndarray) -> np.ndarray:
    turned = np.asarray(x)
    L, D = x.shape[-2:]
    for p in range(L):
        for i in range(D // 2):
            c, s = cos[p, i], sin[p, i]
            rotation = np.array([[c, s], [-s, c]], dtype=x.dtype)
            pair = turned[:, :, p, 2 * i : 2 * i + 2].copy()
            turned[:, :, p, 2 * i : 2 * i + 2] = pair @ rotation.T
    return turned
