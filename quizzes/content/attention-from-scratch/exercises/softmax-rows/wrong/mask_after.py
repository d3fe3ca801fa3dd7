"""Does: You make weights of all places and set those of hidden places to 0 afterwards, so rows with hidden places add up to less than 1.
Should: You should hide places before the softmax, so that the others share the whole 1.
Number: This is a share of the sum over all keys: the hidden key is taken out only afterwards, so the rest adds up to less than 1.
Step: attention-by-hand/hiding-keys
Kind: mistake
Breaks: 2b. The sum runs over the places that may be seen.
"""

import numpy as np


def softmax_rows(scores: np.ndarray, mask: np.ndarray | None = None, axis: int = -1) -> np.ndarray:
    """The shape of scores, float64: weights along axis, 0 where the mask is False."""
    scores = np.asarray(scores, dtype=np.float64)
    largest = scores.max(axis=axis, keepdims=True)
    raised = np.exp(scores - np.where(np.isinf(largest), 0.0, largest))
    total = raised.sum(axis=axis, keepdims=True)
    weights = raised / total
    return weights if mask is None else weights * mask
