"""Does: You hide keys that are too far back, but no key after the query.
Should: A query should see no key after it.
Step: why-order/causal-mask
Kind: mistake
Breaks: 3a. A query sees no key after it.
"""

import numpy as np


def sliding_mask(Lq: int, Lk: int, window: int) -> np.ndarray:
    """(Lq, Lk) booleans: True for the last `window` keys up to each query; queries are the last Lq."""
    queries = np.arange(Lk - Lq, Lk)[:, None]
    keys = np.arange(Lk)
    return keys > queries - window
