"""Does: You give hidden places the score 0, and e to the power 0 is 1, so they keep a weight.
Should: You should give them minus infinity before the softmax.
Number: The hidden key has the score 0 here, so it still takes a share.
Step: attention-by-hand/hiding-keys
Kind: mistake
Breaks: 3a. A hidden place gets 0.
"""

import numpy as np


def softmax_rows(scores: np.ndarray, mask: np.ndarray | None = None, axis: int = -1) -> np.ndarray:
    """The shape of scores, float64: weights along axis, 0 where the mask is False."""
    scores = np.asarray(scores, dtype=np.float64)
    if mask is not None:
        scores = np.where(mask, scores, 0.0)
    largest = scores.max(axis=axis, keepdims=True)
    raised = np.exp(scores - np.where(np.isinf(largest), 0.0, largest))
    total = raised.sum(axis=axis, keepdims=True)
    return raised / np.where(total == 0, 1.0, total)
