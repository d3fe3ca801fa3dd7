"""Does: You always work along the last axis, whatever the argument axis is.
Should: Your weights should add up to 1 along the axis that is given.
Step: attention-by-hand/hiding-keys
Kind: mistake
Breaks: 6a. axis can be any axis of scores, not only the last.
"""

import numpy as np


def softmax_rows(scores: np.ndarray, mask: np.ndarray | None = None, axis: int = -1) -> np.ndarray:
    """The shape of scores, float64: weights along axis, 0 where the mask is False."""
    scores = np.asarray(scores, dtype=np.float64)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    largest = scores.max(axis=-1, keepdims=True)
    raised = np.exp(scores - np.where(np.isinf(largest), 0.0, largest))
    total = raised.sum(axis=-1, keepdims=True)
    return raised / np.where(total == 0, 1.0, total)
