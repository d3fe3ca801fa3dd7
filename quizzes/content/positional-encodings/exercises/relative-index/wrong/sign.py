"""Does: You compute query minus key, which exchanges past and future.
Should: It should be key minus query.
Number: This is query minus key; it should be key minus query.
Step: relative-bias/offsets-not-positions
Kind: mistake
Breaks: 2a. The relative position of key j for query i is j - i.
"""

import numpy as np


def relative_index(Lq: int, Lk: int, k: int) -> np.ndarray:
    """(Lq, Lk) int64: clip(j - i, -k, k) + k for query i and key j."""
    relative = np.arange(Lq)[:, None] - np.arange(Lk)[None, :]
    return relative.clip(-k, k) + k
