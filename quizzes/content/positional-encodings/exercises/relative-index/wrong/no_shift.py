"""The clipped positions run from -k to k, and k must be added: a negative row is read from the end of the table without a word.

Step: relative-bias/table-lookup
Kind: mistake
Breaks: 4. -k has row 0, and k has row 2k.
"""

import numpy as np


def relative_index(Lq: int, Lk: int, k: int) -> np.ndarray:
    """(Lq, Lk) int64: clip(j - i, -k, k) + k for query i and key j."""
    relative = np.arange(Lk)[None, :] - np.arange(Lq)[:, None]
    return relative.clip(-k, k)
