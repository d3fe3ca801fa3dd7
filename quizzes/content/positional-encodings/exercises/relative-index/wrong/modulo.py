"""Does: You wrap far positions around by a modulo, so that they look like near ones.
Should: They should be clipped to the range from -k to k.
Number: This wraps far positions around, so that they look like near ones; they should be clipped.
Step: relative-bias/clipping
Kind: mistake
Breaks: 3. Relative positions are clipped to the range from -k to k.
"""

import numpy as np


def relative_index(Lq: int, Lk: int, k: int) -> np.ndarray:
    """(Lq, Lk) int64: clip(j - i, -k, k) + k for query i and key j."""
    relative = np.arange(Lk)[None, :] - np.arange(Lq)[:, None]
    return (relative + k) % (2 * k + 1)
