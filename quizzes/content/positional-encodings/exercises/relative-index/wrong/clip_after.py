"""Does: You clip the rows to the range from 0 to k, so that all keys from the query's own position on share row k.
Should: The rows should run from 0 to 2k.
Number: This has no rows of their own for keys after the query; with the clip distance k the rows should run from 0 to 2k.
Step: relative-bias/clipping
Kind: mistake
Breaks: 4b. The clipped relative position k has row 2k.
"""

import numpy as np


def relative_index(Lq: int, Lk: int, k: int) -> np.ndarray:
    """(Lq, Lk) int64: clip(j - i, -k, k) + k for query i and key j."""
    relative = np.arange(Lk)[None, :] - np.arange(Lq)[:, None]
    return (relative + k).clip(0, k)
