"""Does: You return the clipped positions, from -k to k. NumPy reads a negative row from the end of the table without an error.
Should: You should add k, so that the rows run from 0 to 2k.
Number: This leaves out the k that is added after clipping; the rows should run from 0 to 2k.
Step: relative-bias/table-lookup
Kind: mistake
Breaks: 4a. The clipped relative position -k has row 0.
"""

import numpy as np


def relative_index(Lq: int, Lk: int, k: int) -> np.ndarray:
    """(Lq, Lk) int64: clip(j - i, -k, k) + k for query i and key j."""
    relative = np.arange(Lk)[None, :] - np.arange(Lq)[:, None]
    return relative.clip(-k, k)
