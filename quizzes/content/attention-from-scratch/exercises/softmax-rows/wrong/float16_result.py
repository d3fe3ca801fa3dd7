"""Does: You return float16 numbers, which keep about three digits.
Should: The weights should be in float32 or float64.
Step: attention-by-hand/hiding-keys
Kind: mistake
Breaks: 1b. The result has dtype float32 or float64.
"""

import numpy as np


def softmax_rows(scores: np.ndarray, mask: np.ndarray | None = None, axis: int = -1) -> np.ndarray:
    """The shape of scores, float64: weights along axis, 0 where the mask is False."""
    scores = np.asarray(scores, dtype=np.float64)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    largest = scores.max(axis=axis, keepdims=True)
    raised = np.exp(scores - np.where(np.isinf(largest), 0.0, largest))
    total = raised.sum(axis=axis, keepdims=True)
    return (raised / np.where(total == 0, 1.0, total)).astype(np.float16)
