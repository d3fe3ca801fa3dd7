"""Clipped relative positions as row numbers: Shaw et al. 2018, section 3.2."""

import numpy as np


def relative_index(Lq: int, Lk: int, k: int) -> np.ndarray:
    """(Lq, Lk) int64: clip(j - i, -k, k) + k for query i and key j."""
    if min(Lq, Lk) < 1 or k < 0:
        raise ValueError("Lq and Lk are at least 1, and k is at least 0")
    relative = np.arange(Lk)[None, :] - np.arange(Lq)[:, None]
    return relative.clip(-k, k) + k
