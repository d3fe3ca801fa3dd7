"""Does: You treat each axis but the first as the last, so the middle one of three is never used.
Should: Your weights should add up to 1 along the axis that is given.
Step: attention-by-hand/hiding-keys
Kind: mistake
Breaks: 6b. axis can be the middle one of three axes.
"""

import numpy as np


def softmax_rows(scores: np.ndarray, mask: np.ndarray | None = None, axis: int = -1) -> np.ndarray:
    """The shape of scores, float64: weights along axis, 0 where the mask is False."""
    axis = 0 if axis in (0, -np.ndim(scores)) else -1
    scores = np.asarray(scores, dtype=np.float64)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    largest = scores.max(axis=axis, keepdims=True)
    raised = np.exp(scores - np.where(np.isinf(largest), 0.0, largest))
    total = raised.sum(axis=axis, keepdims=True)
    return raised / np.where(total == 0, 1.0, total)
