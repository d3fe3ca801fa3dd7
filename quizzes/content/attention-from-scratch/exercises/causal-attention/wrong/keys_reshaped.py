"""Does: You reshape the keys to (..., D, Lk), which leaves their numbers in the old order and so mixes keys and columns.
Should: The last two axes should be exchanged, as swapaxes(-1, -2) does.
Step: attention-by-hand/scaled-scores
Kind: mistake
Breaks: 1b. The score is the dot product over the columns of queries and keys.
"""

import numpy as np


def attention(q: np.ndarray, k: np.ndarray, v: np.ndarray, causal: bool = False) -> np.ndarray:
    """(..., Lq, Dv): the softmax over the keys, times the values."""
    scores = q @ k.reshape(*k.shape[:-2], k.shape[-1], -1) / np.sqrt(q.shape[-1])
    if causal:
        later = np.arange(k.shape[-2])[None, :] > np.arange(q.shape[-2])[:, None]
        scores = np.where(later, -np.inf, scores)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True) @ v
