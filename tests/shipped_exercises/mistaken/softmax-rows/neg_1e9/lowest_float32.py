import numpy as np


def softmax_rows(scores, mask=None, axis=-1):
    if mask is not None:
        scores = np.where(mask, scores, np.finfo(np.float32).min)
    e = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
