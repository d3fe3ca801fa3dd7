"""Does: You hide the query's own key too, so the first query sees nothing and gets NaN.
Should: A query should see its own key and all before it.
Number: The query's own key is hidden here as well.
Step: attention-by-hand/hiding-keys
Kind: mistake
Breaks: 3b. A query sees itself.
"""

import numpy as np


def attention(q: np.ndarray, k: np.ndarray, v: np.ndarray, causal: bool = False) -> np.ndarray:
    """(..., Lq, Dv): the softmax over the keys, times the values."""
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    if causal:
        later = np.arange(k.shape[-2])[None, :] >= np.arange(q.shape[-2])[:, None]
        scores = np.where(later, -np.inf, scores)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True) @ v
