"""Positions of a padded batch: tokens are counted, padding is not."""

import numpy as np


def positions_from_mask(mask: np.ndarray) -> np.ndarray:
    """(B, L) int64: how many tokens of the row come before, and 0 at padding."""
    if mask.ndim != 2 or mask.dtype != bool or 0 in mask.shape:
        raise ValueError("mask is an array of booleans (B, L), and B and L are at least 1")
    before = np.cumsum(mask, axis=1, dtype=np.int64) - 1
    return np.where(mask, before, 0)
