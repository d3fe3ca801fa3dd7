"""Does: You take the largest score of a query before you hide later keys, so a large hidden score leaves only zeros, and 0 divided by 0 is NaN.
Should: You should hide the later keys first and take the largest of the scores that are left.
Step: attention-by-hand/hiding-keys
Kind: mistake
Breaks: 6b. No result is NaN or infinite, however large the scores of hidden keys are.
"""

import numpy as np


def attention(q: np.ndarray, k: np.ndarray, v: np.ndarray, causal: bool = False) -> np.ndarray:
    """(..., Lq, Dv): the softmax over the keys, times the values."""
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    if causal:
        later = np.arange(k.shape[-2])[None, :] > np.arange(q.shape[-2])[:, None]
        weights = np.where(later, 0.0, weights)
    return weights / weights.sum(axis=-1, keepdims=True) @ v
