"""Does: You show all keys of the cache to every query, and use the window for the new keys only.
Should: The window should hide keys of the cache, too.
Step: alibi/with-a-cache
Kind: mistake
Breaks: 3b. Keys before the window are hidden.
"""

import numpy as np


def sliding_mask(Lq: int, Lk: int, window: int) -> np.ndarray:
    """(Lq, Lk) booleans: True for the last `window` keys up to each query; queries are the last Lq."""
    queries = np.arange(Lk - Lq, Lk)[:, None]
    keys = np.arange(Lk)
    cached = keys < Lk - Lq
    return (keys <= queries) & (cached | (keys > queries - window))
