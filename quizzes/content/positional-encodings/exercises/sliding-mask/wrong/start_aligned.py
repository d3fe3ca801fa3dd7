"""Does: Your queries have the positions 0, 1, 2 and so on, as if there were no keys before them.
Should: The queries should be the last Lq of the Lk positions.
Step: alibi/with-a-cache
Kind: mistake
Breaks: 2. The queries are the last Lq positions.
"""

import numpy as np


def sliding_mask(Lq: int, Lk: int, window: int) -> np.ndarray:
    """(Lq, Lk) booleans: True for the last `window` keys up to each query; queries are the last Lq."""
    queries = np.arange(Lq)[:, None]
    keys = np.arange(Lk)
    return (keys <= queries) & (keys > queries - window)
