"""Does: You subtract the largest score in the powers above the line, but not in the sum below it.
Should: You should subtract it in both, so that it cancels.
Number: The largest score is subtracted above the line and not below it, so the weights do not add up to 1.
Step: attention-by-hand/stable-softmax
Kind: mistake
Breaks: 2a. Each place is divided by the sum of its row.
"""

import numpy as np


def softmax_rows(scores: np.ndarray, mask: np.ndarray | None = None, axis: int = -1) -> np.ndarray:
    """The shape of scores, float64: weights along axis, 0 where the mask is False."""
    scores = np.asarray(scores, dtype=np.float64)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    largest = scores.max(axis=axis, keepdims=True)
    raised = np.exp(scores - np.where(np.isinf(largest), 0.0, largest))
    total = np.exp(scores).sum(axis=axis, keepdims=True)
    return raised / np.where(total == 0, 1.0, total)
