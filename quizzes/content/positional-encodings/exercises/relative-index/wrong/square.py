"""Does: You make as many columns as there are queries.
Should: There should be one column for each key: Lk may differ from Lq.
Step: relative-bias/table-lookup
Kind: mistake
Breaks: 1b. Lq and Lk may differ.
"""

import numpy as np


def relative_index(Lq: int, Lk: int, k: int) -> np.ndarray:
    """(Lq, Lk) int64: clip(j - i, -k, k) + k for query i and key j."""
    relative = np.arange(Lq)[None, :] - np.arange(Lq)[:, None]
    return relative.clip(-k, k) + k
