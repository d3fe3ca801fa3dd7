"""Does: You count the window from the row of the query, not from its position: with a cache it begins too early.
Should: The window of row r should end at the position r + Lk - Lq, and begin window - 1 before it.
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
    return (keys <= queries) & (keys > rows - window)
