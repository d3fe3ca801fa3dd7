"""Does: You divide by the square root of the number of columns of the values.
Should: You should take the number of columns of queries and keys, which meet in the dot product.
Step: attention-by-hand/scaled-scores
Kind: mistake
Breaks: 1b. D is the number of columns of queries and keys.
"""

import numpy as np


def attention(q: np.ndarray, k: np.ndarray, v: np.ndarray, causal: bool = False) -> np.ndarray:
    """(..., Lq, Dv): the softmax over the keys, times the values."""
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(v.shape[-1])
    if causal:
        later = np.arange(k.shape[-2])[None, :] > np.arange(q.shape[-2])[:, None]
        scores = np.where(later, -np.inf, scores)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True) @ v
