"""Does: You hide places after the powers are made, and your sum can be 0: a row that is hidden whole, or has a large hidden score, is NaN.
Should: You should hide places before you take the largest score, and a row that is hidden whole should have the weight 0 everywhere.
Step: attention-by-hand/hiding-keys
Kind: mistake
Breaks: 4. Where all places of a row are hidden, all its weights are 0.
"""

import numpy as np


def softmax_rows(scores: np.ndarray, mask: np.ndarray | None = None, axis: int = -1) -> np.ndarray:
    """The shape of scores, float64: weights along axis, 0 where the mask is False."""
    scores = np.asarray(scores, dtype=np.float64)
    raised = np.exp(scores - scores.max(axis=axis, keepdims=True))
    if mask is not None:
        raised = raised * mask
    return raised / raised.sum(axis=axis, keepdims=True)
