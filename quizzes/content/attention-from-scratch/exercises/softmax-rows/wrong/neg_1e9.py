"""Does: You give hidden places a large negative score instead of minus infinity, so a row with all places hidden gets equal weights.
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
        scores = np.where(mask, scores, -1e9)
    largest = scores.max(axis=axis, keepdims=True)
    raised = np.exp(scores - np.where(np.isinf(largest), 0.0, largest))
    total = raised.sum(axis=axis, keepdims=True)
    return raised / np.where(total == 0, 1.0, total)
