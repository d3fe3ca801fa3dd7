"""Does: You make one softmax of the whole array, so all rows together add up to 1.
Should: Each row should have its own largest score and its own sum.
Step: attention-by-hand/stable-softmax
Kind: mistake
Breaks: 2a. The sum runs over the same row.
"""

import numpy as np


def softmax_rows(scores: np.ndarray, mask: np.ndarray | None = None, axis: int = -1) -> np.ndarray:
    """The shape of scores, float64: weights along axis, 0 where the mask is False."""
    scores = np.asarray(scores, dtype=np.float64)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    largest = scores.max()
    raised = np.exp(scores - np.where(np.isinf(largest), 0.0, largest))
    total = raised.sum()
    return raised / np.where(total == 0, 1.0, total)
