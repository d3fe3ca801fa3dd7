import numpy as np


def attention(q, k, v, causal=False):
    s = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    if causal:
        n = q.shape[-2]
        s = s * np.tril(np.ones((n, n))) + np.triu(np.full((n, n), -np.inf))
    w = np.exp(s - s.max(-1, keepdims=True))
    return w / w.sum(-1, keepdims=True) @ v
