"""Does: You make as many rows as there are keys.
Should: There should be one row for each query: Lq may differ from Lk.
Step: relative-bias/table-lookup
Kind: mistake
Breaks: 1b. Lq and Lk may differ.
"""

import numpy as np


def relative_index(Lq: int, Lk: int, k: int) -> np.ndarray:
    """(Lq, Lk) int64: clip(j - i, -k, k) + k for query i and key j."""
    relative = np.arange(Lk)[None, :] - np.arange(Lk)[:, None]
    return relative.clip(-k, k) + k
