"""Does: Each of your rows is one too high.
Should: The relative position -k should have row 0.
Number: This counts rows from 1, which takes one row more; the lowest relative position should have row 0.
Step: relative-bias/clipping
Kind: mistake
Breaks: 4a. The clipped relative position -k has row 0.
"""

import numpy as np


def relative_index(Lq: int, Lk: int, k: int) -> np.ndarray:
    """(Lq, Lk) int64: clip(j - i, -k, k) + k for query i and key j."""
    relative = np.arange(Lk)[None, :] - np.arange(Lq)[:, None]
    return relative.clip(-k, k) + k + 1
