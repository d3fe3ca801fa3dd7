"""Does: Your softmax runs over the queries, so the weights of a key add up to 1 and those of a query do not.
Should: Your softmax should run over the keys, the last axis of the scores.
Step: many-heads/shapes
Kind: mistake
Breaks: 2a. The softmax runs over the keys.
"""

import numpy as np


def attention(q: np.ndarray, k: np.ndarray, v: np.ndarray, causal: bool = False) -> np.ndarray:
    """(..., Lq, Dv): the softmax over the keys, times the values."""
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    if causal:
        later = np.arange(k.shape[-2])[None, :] > np.arange(q.shape[-2])[:, None]
        scores = np.where(later, -np.inf, scores)
    weights = np.exp(scores - scores.max(axis=-2, keepdims=True))
    return weights / weights.sum(axis=-2, keepdims=True) @ v
