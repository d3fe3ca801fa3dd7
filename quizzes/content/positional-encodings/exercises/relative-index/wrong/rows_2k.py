"""Does: You clip the rows at 2k - 1, so that the last row of the table is never read.
Should: The clipped relative position k should have row 2k.
Step: relative-bias/clipping
Kind: mistake
Breaks: 4b. The clipped relative position k has row 2k.
"""

import numpy as np


def relative_index(Lq: int, Lk: int, k: int) -> np.ndarray:
    """(Lq, Lk) int64: clip(j - i, -k, k) + k for query i and key j."""
    relative = np.arange(Lk)[None, :] - np.arange(Lq)[:, None]
    return (relative + k).clip(0, max(2 * k - 1, 0))
