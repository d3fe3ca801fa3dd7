"""Query minus key, clipped and shifted.

Truth: other convention
Slips: relative position is query minus key instead of key minus query
Names: sign
Says: A fair person would say: Some models count query minus key, and then this is right. Here the relative position is key minus query, so a key after the query has a row above k.
"""

import numpy as np


def relative_index(Lq: int, Lk: int, k: int) -> np.ndarray:
    q_pos = np.arange(Lq).reshape(-1, 1)
    k_pos = np.arange(Lk).reshape(1, -1)
    distance = q_pos - k_pos
    return np.clip(distance, -k, k) + k
