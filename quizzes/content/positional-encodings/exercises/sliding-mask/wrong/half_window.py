"""Does: Your queries see half a window before them and half a window after them.
Should: The whole window should end at the query.
Step: why-order/causal-mask
Kind: mistake
Breaks: 3a. A query sees no key after it.
"""

import numpy as np


def sliding_mask(Lq: int, Lk: int, window: int) -> np.ndarray:
    """(Lq, Lk) booleans: True for the last `window` keys up to each query; queries are the last Lq."""
    queries = np.arange(Lk - Lq, Lk)[:, None]
    keys = np.arange(Lk)
    return np.abs(queries - keys) <= window // 2
