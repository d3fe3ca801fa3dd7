"""Does: Your queries do not see themselves.
Should: Each query should see itself: it is the last key of its window.
Step: layers/windows
Kind: mistake
Breaks: 3c. The window counts the query itself.
"""

import numpy as np


def sliding_mask(Lq: int, Lk: int, window: int) -> np.ndarray:
    """(Lq, Lk) booleans: True for the last `window` keys up to each query; queries are the last Lq."""
    queries = np.arange(Lk - Lq, Lk)[:, None]
    keys = np.arange(Lk)
    return (keys < queries) & (keys > queries - window)
