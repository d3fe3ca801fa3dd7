"""Does: All your queries have the window of the last one.
Should: Each query should have a window of its own, which ends at the query.
Step: layers/windows
Kind: mistake
Breaks: 3b. Keys before the window are hidden.
"""

import numpy as np


def sliding_mask(Lq: int, Lk: int, window: int) -> np.ndarray:
    """(Lq, Lk) booleans: True for the last `window` keys up to each query; queries are the last Lq."""
    queries = np.arange(Lk - Lq, Lk)[:, None]
    keys = np.arange(Lk)
    return (keys <= queries) & (keys >= Lk - window)
