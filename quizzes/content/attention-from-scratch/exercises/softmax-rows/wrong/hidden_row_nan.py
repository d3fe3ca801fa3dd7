"""Does: Your weights are NaN in a row with all places hidden: there you subtract minus infinity from itself, or divide 0 by 0.
Should: Such a row should have the weight 0 everywhere.
Step: attention-by-hand/hiding-keys
Kind: mistake
Breaks: 4. Where all places of a row are hidden, all its weights are 0.
"""

import numpy as np


def softmax_rows(scores: np.ndarray, mask: np.ndarray | None = None, axis: int = -1) -> np.ndarray:
    """The shape of scores, float64: weights along axis, 0 where the mask is False."""
    scores = np.asarray(scores, dtype=np.float64)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    largest = scores.max(axis=axis, keepdims=True)
    raised = np.exp(scores - largest)
    total = raised.sum(axis=axis, keepdims=True)
    return raised / total
