"""The mask of a layer with a sliding window: each query sees itself and the keys just before."""

import numpy as np


def sliding_mask(Lq: int, Lk: int, window: int) -> np.ndarray:
    """(Lq, Lk) booleans: True for the last `window` keys up to each query; queries are the last Lq."""
    if not (1 <= Lq <= Lk and window >= 1):
        raise ValueError("Lq is at most Lk, and all three numbers are at least 1")
    queries = np.arange(Lk - Lq, Lk)[:, None]
    keys = np.arange(Lk)
    return (keys <= queries) & (keys > queries - window)
