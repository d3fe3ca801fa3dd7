"""Does: You make one axis of all but the last three and do not take it apart again, so with three leading axes the shape is another.
Should: The result should keep every axis before the last two.
Step: many-heads/shapes
Kind: mistake
Breaks: 5b. There may be three axes before the last two.
"""

import numpy as np


def attention(q: np.ndarray, k: np.ndarray, v: np.ndarray, causal: bool = False) -> np.ndarray:
    """(..., Lq, Dv): the softmax over the keys, times the values."""
    if q.ndim > 4:
        q, k, v = (x.reshape(-1, *x.shape[-3:]) for x in (q, k, v))
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    if causal:
        later = np.arange(k.shape[-2])[None, :] > np.arange(q.shape[-2])[:, None]
        scores = np.where(later, -np.inf, scores)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True) @ v
