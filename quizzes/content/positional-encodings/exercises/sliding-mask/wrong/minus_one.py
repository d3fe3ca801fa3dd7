"""Does: Each of your queries sees window - 1 keys, so it misses the farthest.
Should: The window should count the query itself and nothing else: window keys are seen in all.
Step: layers/windows
Kind: mistake
Breaks: 3c. The window counts the query itself.
"""

import numpy as np


def sliding_mask(Lq: int, Lk: int, window: int) -> np.ndarray:
    """(Lq, Lk) booleans: True for the last `window` keys up to each query; queries are the last Lq."""
    queries = np.arange(Lk - Lq, Lk)[:, None]
    keys = np.arange(Lk)
    return (keys <= queries) & (keys > queries - window + 1)
