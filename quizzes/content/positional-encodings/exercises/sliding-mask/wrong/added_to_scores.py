"""Does: Your mask holds 0 and minus infinity, to be added to scores.
Should: It should hold booleans, True where the query sees the key.
Step: layers/windows
Kind: convention
Breaks: 1b. Booleans.
"""

import numpy as np


def sliding_mask(Lq: int, Lk: int, window: int) -> np.ndarray:
    """(Lq, Lk) booleans: True for the last `window` keys up to each query; queries are the last Lq."""
    queries = np.arange(Lk - Lq, Lk)[:, None]
    keys = np.arange(Lk)
    seen = (keys <= queries) & (keys > queries - window)
    return np.where(seen, 0.0, -np.inf)
