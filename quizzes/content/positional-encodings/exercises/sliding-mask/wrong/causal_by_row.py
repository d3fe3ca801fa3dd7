"""Does: You hide keys after the row of the query, not after its position.
Should: Row r should see keys up to the position r + Lk - Lq.
Step: alibi/with-a-cache
Kind: mistake
Breaks: 2. The queries are the last Lq positions.
"""

import numpy as np


def sliding_mask(Lq: int, Lk: int, window: int) -> np.ndarray:
    """(Lq, Lk) booleans: True for the last `window` keys up to each query; queries are the last Lq."""
    queries = np.arange(Lk - Lq, Lk)[:, None]
    keys = np.arange(Lk)
    rows = np.arange(Lq)[:, None]
    return (keys <= rows) & (keys > queries - window)
