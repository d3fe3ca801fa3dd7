import numpy as np


def softmax_rows(scores, mask=None, axis=-1):
    e = np.exp(scores - scores.max(axis=axis, keepdims=True))
    if mask is not None:
        e = e * mask
    t = e.sum(axis=axis, keepdims=True)
    return np.divide(e, t, out=np.zeros_like(e), where=t > 0)
