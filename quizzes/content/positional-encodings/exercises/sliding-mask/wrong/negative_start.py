"""Does: At the beginning of the text your window starts at a negative column, which NumPy counts from the end.
Should: Where there are fewer than window keys, the query should see all of them up to itself.
Step: layers/windows
Kind: mistake
Breaks: 3d. At the beginning the query sees all keys up to itself.
"""

import numpy as np


def sliding_mask(Lq: int, Lk: int, window: int) -> np.ndarray:
    """(Lq, Lk) booleans: True for the last `window` keys up to each query; queries are the last Lq."""
    mask = np.zeros((Lq, Lk), dtype=bool)
    for row in range(Lq):
        end = row + Lk - Lq + 1
        mask[row, end - window : end] = True
    return mask
