"""Does: Your mask is True where a key is hidden.
Should: In this exercise it should be True where the query sees the key.
Step: layers/windows
Kind: convention
Breaks: 1b. True where the query sees the key.
"""

import numpy as np


def sliding_mask(Lq: int, Lk: int, window: int) -> np.ndarray:
    """(Lq, Lk) booleans: True for the last `window` keys up to each query; queries are the last Lq."""
    queries = np.arange(Lk - Lq, Lk)[:, None]
    keys = np.arange(Lk)
    return (keys > queries) | (keys <= queries - window)
