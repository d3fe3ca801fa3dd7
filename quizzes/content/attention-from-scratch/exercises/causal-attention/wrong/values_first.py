"""Does: You exchange the last two axes of the result, so that it has the shape (..., Dv, Lq).
Should: Its shape should be (..., Lq, Dv): a row for each query.
Step: many-heads/shapes
Kind: mistake
Breaks: 4b. The result has shape (..., Lq, Dv).
"""

import numpy as np


def attention(q: np.ndarray, k: np.ndarray, v: np.ndarray, causal: bool = False) -> np.ndarray:
    """(..., Lq, Dv): the softmax over the keys, times the values."""
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    if causal:
        later = np.arange(k.shape[-2])[None, :] > np.arange(q.shape[-2])[:, None]
        scores = np.where(later, -np.inf, scores)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    mixed = weights / weights.sum(axis=-1, keepdims=True) @ v
    return mixed.swapaxes(-1, -2)
