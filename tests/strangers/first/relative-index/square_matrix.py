"""The index matrix from the Transformer-XL style range of one length, as in many blog posts.

Truth: wrong
Slips: the matrix is built from the keys' length alone, so it is square
Names: square_of_keys
Silent: no
Says: A fair person would say: your result is (Lk, Lk), but queries and keys may differ in number. It must have Lq rows.
"""

import numpy as np


def relative_index(Lq: int, Lk: int, k: int) -> np.ndarray:
    range_vec = np.arange(Lk)
    range_mat = np.tile(range_vec, (Lk, 1))
    distance_mat = range_mat - range_mat.T
    distance_mat_clipped = np.clip(distance_mat, -k, k)
    return distance_mat_clipped + k
