"""Does: You return one row for each key and one column for each query.
Should: The result should have one row for each query and one column for each key.
Kind: mistake
Breaks: 1. The result has shape (n, past + n).
"""

import numpy as np


def causal_mask(n: int, past: int = 0) -> np.ndarray:
    queries = past + np.arange(n)[None, :]
    keys = np.arange(past + n)[:, None]
    return keys <= queries
