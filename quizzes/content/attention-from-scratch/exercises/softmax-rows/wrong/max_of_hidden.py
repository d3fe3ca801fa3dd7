"""Does: You take the largest score of a row before you hide places, so a large hidden score leaves only zeros.
Should: You should hide places first and take the largest of what may be seen.
Step: attention-by-hand/hiding-keys
Kind: mistake
Breaks: 3b. A hidden place has no influence on any other place.
"""

import numpy as np


def softmax_rows(scores: np.ndarray, mask: np.ndarray | None = None, axis: int = -1) -> np.ndarray:
    """The shape of scores, float64: weights along axis, 0 where the mask is False."""
    scores = np.asarray(scores, dtype=np.float64)
    largest = scores.max(axis=axis, keepdims=True)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    raised = np.exp(scores - largest)
    total = raised.sum(axis=axis, keepdims=True)
    return raised / np.where(total == 0, 1.0, total)
