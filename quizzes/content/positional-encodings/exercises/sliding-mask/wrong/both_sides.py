"""Does: Your window reaches to both sides, so queries see keys after them.
Should: A query should see keys up to itself only.
Step: why-order/causal-mask
Kind: mistake
Breaks: 3a. A query sees no key after it.
"""

import numpy as np


def sliding_mask(Lq: int, Lk: int, window: int) -> np.ndarray:
    """(Lq, Lk) booleans: True for the last `window` keys up to each query; queries are the last Lq."""
    queries = np.arange(Lk - Lq, Lk)[:, None]
    keys = np.arange(Lk)
    return np.abs(queries - keys) < window
