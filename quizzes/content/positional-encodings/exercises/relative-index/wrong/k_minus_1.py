"""Does: You clip to k - 1, which leaves two rows too few.
Should: It should be k, so that -k and k have rows of their own.
Number: This clips at one less than the clip distance, which leaves two rows too few.
Step: relative-bias/clipping
Kind: mistake
Breaks: 3. Relative positions are clipped to the range from -k to k.
"""

import numpy as np


def relative_index(Lq: int, Lk: int, k: int) -> np.ndarray:
    """(Lq, Lk) int64: clip(j - i, -k, k) + k for query i and key j."""
    relative = np.arange(Lk)[None, :] - np.arange(Lq)[:, None]
    return relative.clip(1 - k, k - 1) + k - 1
