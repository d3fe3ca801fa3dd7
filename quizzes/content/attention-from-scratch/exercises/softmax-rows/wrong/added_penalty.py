"""Does: You subtract a large number from hidden scores instead of using minus infinity, so a row with all places hidden gets the softmax of its hidden scores.
Should: A row with all places hidden should have the weight 0 everywhere.
Step: attention-by-hand/hiding-keys
Kind: mistake
Breaks: 4. Where all places of a row are hidden, all its weights are 0.
"""

import numpy as np


def softmax_rows(scores: np.ndarray, mask: np.ndarray | None = None, axis: int = -1) -> np.ndarray:
    """The shape of scores, float64: weights along axis, 0 where the mask is False."""
    scores = np.asarray(scores, dtype=np.float64)
    if mask is not None:
        scores = scores - 1e5 * ~mask
    raised = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return raised / raised.sum(axis=axis, keepdims=True)
