"""Does: Your queries see the window keys before them, and not themselves.
Should: The query should be the last key of its window, and be counted.
Step: layers/windows
Kind: mistake
Breaks: 3c. The window counts the query itself.
"""

import numpy as np


def sliding_mask(Lq: int, Lk: int, window: int) -> np.ndarray:
    """(Lq, Lk) booleans: True for the last `window` keys up to each query; queries are the last Lq."""
    queries = np.arange(Lk - Lq, Lk)[:, None]
    keys = np.arange(Lk)
    return (keys < queries) & (keys >= queries - window)
