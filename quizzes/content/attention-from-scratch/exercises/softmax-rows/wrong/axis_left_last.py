"""Does: You move axis to the end and leave it there, so the axes of your result are in another order.
Should: You should move it back, so that each weight is where its score was.
Step: attention-by-hand/hiding-keys
Kind: mistake
Breaks: 1a. The result has the shape of scores.
"""

import numpy as np


def softmax_rows(scores: np.ndarray, mask: np.ndarray | None = None, axis: int = -1) -> np.ndarray:
    """The shape of scores, float64: weights along axis, 0 where the mask is False."""
    scores = np.moveaxis(np.asarray(scores, dtype=np.float64), axis, -1)
    if mask is not None:
        scores = np.where(np.moveaxis(mask, axis, -1), scores, -np.inf)
    largest = scores.max(axis=-1, keepdims=True)
    raised = np.exp(scores - np.where(np.isinf(largest), 0.0, largest))
    total = raised.sum(axis=-1, keepdims=True)
    return raised / np.where(total == 0, 1.0, total)
