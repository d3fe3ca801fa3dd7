"""Does: You count the queries from position 0, also when there is a cache.
Should: Query i should have the position past + i, after all that is cached.
Kind: mistake
Breaks: 2. Query i stands at position past + i.
"""

import numpy as np


def causal_mask(n: int, past: int = 0) -> np.ndarray:
    queries = np.arange(n)[:, None]
    keys = np.arange(past + n)[None, :]
    return keys <= queries
