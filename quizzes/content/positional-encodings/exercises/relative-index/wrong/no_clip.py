"""Does: You clip nothing: your far keys get rows that the table does not have, and NumPy reads a negative row from the end of the table without an error.
Should: Relative positions should be clipped to the range from -k to k.
Number: This is not clipped; far keys should share the row of the key k positions away.
Step: relative-bias/clipping
Kind: mistake
Breaks: 3. Relative positions are clipped to the range from -k to k.
"""

import numpy as np


def relative_index(Lq: int, Lk: int, k: int) -> np.ndarray:
    """(Lq, Lk) int64: clip(j - i, -k, k) + k for query i and key j."""
    relative = np.arange(Lk)[None, :] - np.arange(Lq)[:, None]
    return relative + k
