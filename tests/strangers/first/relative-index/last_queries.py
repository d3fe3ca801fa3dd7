"""Queries are the last ones among the keys, as with a cache.

Truth: wrong
Slips: query positions are shifted by Lk - Lq instead of counting from 0
Names: end_aligned
Silent: yes
Says: A fair person would say: you treat the queries as the last of the keys. Here queries and keys both count from 0, so leave out Lk - Lq.
"""

import numpy as np


def relative_index(Lq: int, Lk: int, k: int) -> np.ndarray:
    query_positions = np.arange(Lq) + (Lk - Lq)
    key_positions = np.arange(Lk)
    relative = key_positions[np.newaxis, :] - query_positions[:, np.newaxis]
    return np.clip(relative, -k, k) + k
