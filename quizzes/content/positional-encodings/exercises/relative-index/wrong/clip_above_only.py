"""Does: You clip only keys after the query, so that far keys before it have negative rows.
Should: Relative positions should be clipped to -k as well as to k.
Step: relative-bias/clipping
Kind: mistake
Breaks: 3. Relative positions are clipped to the range from -k to k.
"""

import numpy as np


def relative_index(Lq: int, Lk: int, k: int) -> np.ndarray:
    """(Lq, Lk) int64: clip(j - i, -k, k) + k for query i and key j."""
    relative = np.arange(Lk)[None, :] - np.arange(Lq)[:, None]
    return np.minimum(relative, k) + k
