"""Differences are moved by k first and clipped to the rows of the table afterwards."""

import numpy as np


def relative_index(Lq: int, Lk: int, k: int) -> np.ndarray:
    """(Lq, Lk) int64: clip(j - i + k, 0, 2k) for query i and key j."""
    keys, queries = np.arange(Lk), np.arange(Lq)
    moved = keys[None, :] - queries[:, None] + k
    return np.clip(moved, 0, 2 * k)
