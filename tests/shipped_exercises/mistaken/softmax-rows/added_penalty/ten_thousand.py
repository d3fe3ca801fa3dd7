import numpy as np


def softmax_rows(scores, mask=None, axis=-1):
    if mask is not None:
        scores = scores - 1e4 * ~mask
    e = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
