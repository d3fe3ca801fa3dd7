"""Does: You take the absolute distance, so that a key before the query and a key equally far after it share a row.
Should: The sign should be kept: keys before the query have rows below k, keys after it rows above k.
Number: This takes the distance without its sign; a key before the query should have a row below k.
Step: relative-bias/offsets-not-positions
Kind: mistake
Breaks: 2a. The relative position of key j for query i is j - i.
"""

import numpy as np


def relative_index(Lq: int, Lk: int, k: int) -> np.ndarray:
    """(Lq, Lk) int64: clip(j - i, -k, k) + k for query i and key j."""
    relative = np.arange(Lk)[None, :] - np.arange(Lq)[:, None]
    return np.abs(relative).clip(-k, k) + k
