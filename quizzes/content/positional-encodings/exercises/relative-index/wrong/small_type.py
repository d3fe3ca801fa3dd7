"""Does: You store rows in int8, which ends at 127: rows beyond it become negative.
Should: The result should be int32 or int64.
Step: relative-bias/table-lookup
Kind: mistake
Breaks: 5. The result is an array of whole numbers, int32 or int64.
"""

import numpy as np


def relative_index(Lq: int, Lk: int, k: int) -> np.ndarray:
    """(Lq, Lk) int64: clip(j - i, -k, k) + k for query i and key j."""
    relative = np.arange(Lk)[None, :] - np.arange(Lq)[:, None]
    return (relative.clip(-k, k) + k).astype(np.int8)
