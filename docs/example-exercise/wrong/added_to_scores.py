"""Does: You return what is added to scores: 0 where a key may be seen, else minus infinity.
Should: The result should hold True and False, in dtype bool.
Kind: mistake
Breaks: 4. The result has dtype bool.
"""

import numpy as np


def causal_mask(n: int, past: int = 0) -> np.ndarray:
    queries = past + np.arange(n)[:, None]
    keys = np.arange(past + n)[None, :]
    return np.where(keys <= queries, 0.0, -np.inf)
