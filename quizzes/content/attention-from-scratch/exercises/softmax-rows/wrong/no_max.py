"""Does: You raise e to the scores as they are, so large scores overflow to infinity and become NaN.
Should: You should subtract the largest score of each row first, which changes no weight.
Step: attention-by-hand/stable-softmax
Kind: mistake
Breaks: 5a. No result is NaN or infinite, however large the scores are.
"""

import numpy as np


def softmax_rows(scores: np.ndarray, mask: np.ndarray | None = None, axis: int = -1) -> np.ndarray:
    """The shape of scores, float64: weights along axis, 0 where the mask is False."""
    scores = np.asarray(scores, dtype=np.float64)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    raised = np.exp(scores)
    total = raised.sum(axis=axis, keepdims=True)
    return raised / np.where(total == 0, 1.0, total)
