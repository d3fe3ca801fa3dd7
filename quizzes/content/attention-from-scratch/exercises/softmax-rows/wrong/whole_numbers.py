"""Does: Your code raises an error where the scores are whole numbers and some places are hidden.
Should: Scores should be made floating-point numbers first: minus infinity and parts of 1 are no whole numbers.
Step: attention-by-hand/hiding-keys
Kind: mistake
Breaks: 1c. The scores may be whole numbers.
"""

import numpy as np


def softmax_rows(scores: np.ndarray, mask: np.ndarray | None = None, axis: int = -1) -> np.ndarray:
    """The shape of scores, float64: weights along axis, 0 where the mask is False."""
    scores = np.array(scores)
    if mask is not None:
        scores[~mask] = -np.inf
    largest = scores.max(axis=axis, keepdims=True)
    raised = np.exp(scores - np.where(np.isinf(largest), 0.0, largest))
    total = raised.sum(axis=axis, keepdims=True)
    return raised / np.where(total == 0, 1.0, total)
