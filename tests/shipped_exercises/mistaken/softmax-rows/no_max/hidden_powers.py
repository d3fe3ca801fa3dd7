import numpy as np


def softmax_rows(scores, mask=None, axis=-1):
    e = np.exp(scores)
    if mask is not None:
        e = np.where(mask, e, 0)
    t = e.sum(axis=axis, keepdims=True)
    return e / np.where(t == 0, 1, t)
