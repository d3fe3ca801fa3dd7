"""Does: You give hidden keys the score 0, and e to the power 0 is 1, so they keep a weight.
Should: You should give them minus infinity before the softmax.
Number: Hidden keys have the score 0 here, so they still take a share.
Step: attention-by-hand/hiding-keys
Kind: mistake
Breaks: 3d. A hidden key has the weight 0.
"""

import numpy as np


def attention(q: np.ndarray, k: np.ndarray, v: np.ndarray, causal: bool = False) -> np.ndarray:
    """(..., Lq, Dv): the softmax over the keys, times the values."""
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    if causal:
        later = np.arange(k.shape[-2])[None, :] > np.arange(q.shape[-2])[:, None]
        scores = np.where(later, 0.0, scores)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True) @ v
