"""Does: You exchange queries and keys as axes: your result has the shape (Lk, Lq).
Should: The shape should be (Lq, Lk).
Step: relative-bias/table-lookup
Kind: convention
Breaks: 1a. The result has shape (Lq, Lk).
"""

import numpy as np


def relative_index(Lq: int, Lk: int, k: int) -> np.ndarray:
    """(Lq, Lk) int64: clip(j - i, -k, k) + k for query i and key j."""
    relative = np.arange(Lk)[None, :] - np.arange(Lq)[:, None]
    return (relative.clip(-k, k) + k).T
