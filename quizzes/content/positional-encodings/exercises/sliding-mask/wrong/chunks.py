"""Does: You cut the text into pieces of window tokens: a query sees the keys of its own piece.
Should: The window should slide along: each query has its own, which ends at the query.
Step: layers/windows
Kind: mistake
Breaks: 3b. Keys before the window are hidden.
"""

import numpy as np


def sliding_mask(Lq: int, Lk: int, window: int) -> np.ndarray:
    """(Lq, Lk) booleans: True for the last `window` keys up to each query; queries are the last Lq."""
    queries = np.arange(Lk - Lq, Lk)[:, None]
    keys = np.arange(Lk)
    return (keys <= queries) & (keys // window == queries // window)
