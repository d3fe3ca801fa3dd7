"""Does: You make one softmax of all scores of a head, so all its queries share one 1.
Should: Each query should have a softmax of its own, over the keys.
Step: many-heads/shapes
Kind: mistake
Breaks: 2b. The weights of each query add up to 1.
"""

import numpy as np


def attention(q: np.ndarray, k: np.ndarray, v: np.ndarray, causal: bool = False) -> np.ndarray:
    """(..., Lq, Dv): the softmax over the keys, times the values."""
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    if causal:
        later = np.arange(k.shape[-2])[None, :] > np.arange(q.shape[-2])[:, None]
        scores = np.where(later, -np.inf, scores)
    weights = np.exp(scores - scores.max(axis=(-1, -2), keepdims=True))
    return weights / weights.sum(axis=(-1, -2), keepdims=True) @ v
