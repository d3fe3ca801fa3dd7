"""Does: You set the weights of hidden keys to 0 after the softmax, so early queries give away less than 1 in all.
Should: You should hide keys before the softmax, so that the others share the whole 1.
Number: The hidden keys took part in the softmax here, and the remaining weights add up to less than 1.
Step: attention-by-hand/hiding-keys
Kind: mistake
Breaks: 3e. The keys that are not hidden share the whole 1.
"""

import numpy as np


def attention(q: np.ndarray, k: np.ndarray, v: np.ndarray, causal: bool = False) -> np.ndarray:
    """(..., Lq, Dv): the softmax over the keys, times the values."""
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = weights / weights.sum(axis=-1, keepdims=True)
    if causal:
        later = np.arange(k.shape[-2])[None, :] > np.arange(q.shape[-2])[:, None]
        weights = np.where(later, 0.0, weights)
    return weights @ v
