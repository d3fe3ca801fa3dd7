"""Does: You show the first key to every query, however far back it is.
Should: Each key before the window should be hidden, the first one too.
Step: layers/windows
Kind: mistake
Breaks: 3b. Keys before the window are hidden.
"""

import numpy as np


def sliding_mask(Lq: int, Lk: int, window: int) -> np.ndarray:
    """(Lq, Lk) booleans: True for the last `window` keys up to each query; queries are the last Lq."""
    queries = np.arange(Lk - Lq, Lk)[:, None]
    keys = np.arange(Lk)
    return (keys <= queries) & ((keys > queries - window) | (keys == 0))
