"""Does: You place the queries at the last positions of the keys, which is right with a cache.
Should: Here query 0 and key 0 should both have position 0.
Step: alibi/with-a-cache
Kind: convention
Breaks: 2b. Both count from 0.
"""

import numpy as np


def relative_index(Lq: int, Lk: int, k: int) -> np.ndarray:
    """(Lq, Lk) int64: clip(j - i, -k, k) + k for query i and key j."""
    relative = np.arange(Lk)[None, :] - (np.arange(Lq)[:, None] + Lk - Lq)
    return relative.clip(-k, k) + k
