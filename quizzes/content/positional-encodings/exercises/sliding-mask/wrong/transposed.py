"""Does: Your mask has a row for each key and a column for each query.
Should: It should have a row for each query and a column for each key.
Step: layers/windows
Kind: convention
Breaks: 1a. A row for each query and a column for each key.
"""

import numpy as np


def sliding_mask(Lq: int, Lk: int, window: int) -> np.ndarray:
    """(Lq, Lk) booleans: True for the last `window` keys up to each query; queries are the last Lq."""
    queries = np.arange(Lk - Lq, Lk)[:, None]
    keys = np.arange(Lk)
    return ((keys <= queries) & (keys > queries - window)).T
