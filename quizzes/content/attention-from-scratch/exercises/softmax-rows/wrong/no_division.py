"""Does: You subtract the largest score and raise e to the result, but you do not divide by the sum.
Should: You should divide by the sum of the row, so that it adds up to 1.
Number: This is e to the difference from the largest score, not yet divided by the sum.
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
    return raised
