"""Subtracts the logarithm of the sum and raises e once more; a hidden row is sorted out first."""

import numpy as np


def softmax_rows(scores, mask=None, axis=-1):
    if mask is None:
        mask = np.ones(np.shape(scores), dtype=bool)
    low = np.where(mask, scores, -np.inf)
    some = mask.any(axis=axis, keepdims=True)
    low = np.where(some, low, 0.0)
    total = np.logaddexp.reduce(low, axis=axis, keepdims=True)
    return np.where(some, np.exp(low - total), 0.0)
