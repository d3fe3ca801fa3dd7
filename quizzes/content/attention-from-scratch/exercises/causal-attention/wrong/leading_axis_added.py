"""Does: You add an axis for heads where there is none, and the result keeps it.
Should: The result should have the shape (Lq, Dv) where queries have the shape (Lq, D).
Step: many-heads/shapes
Kind: mistake
Breaks: 5c. There may be no axis before the last two.
"""

import numpy as np


def attention(q: np.ndarray, k: np.ndarray, v: np.ndarray, causal: bool = False) -> np.ndarray:
    """(..., Lq, Dv): the softmax over the keys, times the values."""
    if q.ndim == 2:
        q, k, v = q[None], k[None], v[None]
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    if causal:
        later = np.arange(k.shape[-2])[None, :] > np.arange(q.shape[-2])[:, None]
        scores = np.where(later, -np.inf, scores)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True) @ v
