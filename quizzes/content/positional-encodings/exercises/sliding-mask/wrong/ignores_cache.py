"""Does: Your mask has a column for each query, so the keys in the cache have none.
Should: There should be a column for each of the Lk keys.
Step: alibi/with-a-cache
Kind: mistake
Breaks: 1a. A row for each query and a column for each key.
"""

import numpy as np


def sliding_mask(Lq: int, Lk: int, window: int) -> np.ndarray:
    """(Lq, Lk) booleans: True for the last `window` keys up to each query; queries are the last Lq."""
    queries = np.arange(Lq)[:, None]
    keys = np.arange(Lq)
    return (keys <= queries) & (keys > queries - window)
