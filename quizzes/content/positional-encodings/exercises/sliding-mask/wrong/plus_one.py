"""Does: Each of your queries sees itself and window keys before it, which makes window + 1.
Should: The window should count the query itself: it sees window keys in all, or fewer at the beginning.
Step: layers/windows
Kind: mistake
Breaks: 3c. The window counts the query itself.
"""

import numpy as np


def sliding_mask(Lq: int, Lk: int, window: int) -> np.ndarray:
    """(Lq, Lk) booleans: True for the last `window` keys up to each query; queries are the last Lq."""
    queries = np.arange(Lk - Lq, Lk)[:, None]
    keys = np.arange(Lk)
    return (keys <= queries) & (keys >= queries - window)
