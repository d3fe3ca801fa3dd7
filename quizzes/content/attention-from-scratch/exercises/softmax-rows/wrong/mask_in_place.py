"""Does: You turn the caller's mask around in place, so the caller finds another mask.
Should: The inverted mask should be a new array, ~mask.
Step: attention-by-hand/hiding-keys
Kind: mistake
Breaks: 7b. mask is left as it is.
"""

import numpy as np


def softmax_rows(scores: np.ndarray, mask: np.ndarray | None = None, axis: int = -1) -> np.ndarray:
    """The shape of scores, float64: weights along axis, 0 where the mask is False."""
    scores = np.asarray(scores, dtype=np.float64)
    if mask is not None:
        hidden = np.logical_not(mask, out=mask)
        scores = np.where(hidden, -np.inf, scores)
    largest = scores.max(axis=axis, keepdims=True)
    raised = np.exp(scores - np.where(np.isinf(largest), 0.0, largest))
    total = raised.sum(axis=axis, keepdims=True)
    return raised / np.where(total == 0, 1.0, total)
