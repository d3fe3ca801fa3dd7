"""Does: You do not divide the dot products at all.
Should: You should divide them by the square root of D.
Number: The dot products are not divided by the square root of $D$ here.
Step: attention-by-hand/scaled-scores
Kind: mistake
Breaks: 1a. Scores are dot products divided by the square root of D.
"""

import numpy as np


def attention(q: np.ndarray, k: np.ndarray, v: np.ndarray, causal: bool = False) -> np.ndarray:
    """(..., Lq, Dv): the softmax over the keys, times the values."""
    scores = q @ k.swapaxes(-1, -2)
    if causal:
        later = np.arange(k.shape[-2])[None, :] > np.arange(q.shape[-2])[:, None]
        scores = np.where(later, -np.inf, scores)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True) @ v
