"""Does: You subtract the largest score of the whole array, so a row far below it has only zeros and adds up to 0.
Should: You should subtract the largest score of each row from that row.
Step: attention-by-hand/stable-softmax
Kind: mistake
Breaks: 5b. The weights of a row that is far below another add up to 1.
"""

import numpy as np


def softmax_rows(scores: np.ndarray, mask: np.ndarray | None = None, axis: int = -1) -> np.ndarray:
    """The shape of scores, float64: weights along axis, 0 where the mask is False."""
    scores = np.asarray(scores, dtype=np.float64)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    largest = scores.max()
    raised = np.exp(scores - np.where(np.isinf(largest), 0.0, largest))
    total = raised.sum(axis=axis, keepdims=True)
    return raised / np.where(total == 0, 1.0, total)
