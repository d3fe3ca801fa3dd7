"""Does: You divide the caller's queries themselves by the square root of D, so the caller finds other numbers in q.
Should: The scaled queries or scores should be a new array.
Step: many-heads/shapes
Kind: mistake
Breaks: 7b. The arguments are left as they are.
"""

import numpy as np


def attention(q: np.ndarray, k: np.ndarray, v: np.ndarray, causal: bool = False) -> np.ndarray:
    """(..., Lq, Dv): the softmax over the keys, times the values."""
    q /= np.sqrt(q.shape[-1])
    scores = q @ k.swapaxes(-1, -2)
    if causal:
        later = np.arange(k.shape[-2])[None, :] > np.arange(q.shape[-2])[:, None]
        scores = np.where(later, -np.inf, scores)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True) @ v
