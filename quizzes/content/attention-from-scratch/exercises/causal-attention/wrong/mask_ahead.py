"""Does: Your mask begins one key too late, so each query sees the key after its own.
Should: Your mask should hide all keys after the query's own.
Number: One key after the query's own is visible here.
Step: attention-by-hand/hiding-keys
Kind: mistake
Breaks: 3c. With causal=True a query sees no later key.
"""

import numpy as np


def attention(q: np.ndarray, k: np.ndarray, v: np.ndarray, causal: bool = False) -> np.ndarray:
    """(..., Lq, Dv): the softmax over the keys, times the values."""
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    if causal:
        later = np.arange(k.shape[-2])[None, :] > 1 + np.arange(q.shape[-2])[:, None]
        scores = np.where(later, -np.inf, scores)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True) @ v
