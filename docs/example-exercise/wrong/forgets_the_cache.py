"""Your queries are counted from position 0. With a cache, the first query stands behind all of it.

Kind: mistake
Breaks: 2. Query i stands at position past + i.
"""

import numpy as np


def causal_mask(n: int, past: int = 0) -> np.ndarray:
    queries = np.arange(n)[:, None]
    keys = np.arange(past + n)[None, :]
    return keys <= queries
