"""Does: You subtract the largest score from the caller's array itself, so the caller finds other numbers in it.
Should: The difference should be a new array.
Step: attention-by-hand/stable-softmax
Kind: mistake
Breaks: 7a. scores is left as it is.
"""

import numpy as np


def softmax_rows(scores: np.ndarray, mask: np.ndarray | None = None, axis: int = -1) -> np.ndarray:
    """The shape of scores, float64: weights along axis, 0 where the mask is False."""
    scores = np.asarray(scores, dtype=np.float64)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    largest = scores.max(axis=axis, keepdims=True)
    scores -= np.where(np.isinf(largest), 0.0, largest)
    raised = np.exp(scores)
    total = raised.sum(axis=axis, keepdims=True)
    return raised / np.where(total == 0, 1.0, total)
