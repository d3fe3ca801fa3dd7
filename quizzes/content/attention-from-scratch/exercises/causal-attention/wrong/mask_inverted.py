"""Does: You hide the keys before a query and show those after it.
Should: You should hide the keys after a query.
Number: The keys before the query are hidden here, instead of those after it.
Step: attention-by-hand/hiding-keys
Kind: mistake
Breaks: 3a. With causal=True query i sees the keys before it.
"""

import numpy as np


def attention(q: np.ndarray, k: np.ndarray, v: np.ndarray, causal: bool = False) -> np.ndarray:
    """(..., Lq, Dv): the softmax over the keys, times the values."""
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    if causal:
        later = np.arange(k.shape[-2])[None, :] < np.arange(q.shape[-2])[:, None]
        scores = np.where(later, -np.inf, scores)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True) @ v
