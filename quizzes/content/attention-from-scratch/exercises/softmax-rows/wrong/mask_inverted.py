"""Does: You hide the places where the mask is True.
Should: You should hide the places where it is False: True means that a place may be seen.
Step: attention-by-hand/hiding-keys
Kind: mistake
Breaks: 3a. A hidden place, where the mask is False, gets 0.
"""

import numpy as np


def softmax_rows(scores: np.ndarray, mask: np.ndarray | None = None, axis: int = -1) -> np.ndarray:
    """The shape of scores, float64: weights along axis, 0 where the mask is False."""
    scores = np.asarray(scores, dtype=np.float64)
    if mask is not None:
        scores = np.where(mask, -np.inf, scores)
    largest = scores.max(axis=axis, keepdims=True)
    raised = np.exp(scores - np.where(np.isinf(largest), 0.0, largest))
    total = raised.sum(axis=axis, keepdims=True)
    return raised / np.where(total == 0, 1.0, total)
