"""Does: You let a query look at its own token and at those after it.
Should: It should look at its own token and at those before it.
Kind: mistake
Breaks: 3. The result is True where the key does not stand after the query.
"""

import numpy as np


def causal_mask(n: int, past: int = 0) -> np.ndarray:
    queries = past + np.arange(n)[:, None]
    keys = np.arange(past + n)[None, :]
    return keys >= queries
