import numpy as np


def attention(q, k, v, causal=False):
    s = np.matmul(q, np.transpose(k)) / np.sqrt(k.shape[-1])
    if causal:
        s = np.where(np.tri(*s.shape[-2:]) > 0, s, -np.inf)
    w = np.exp(s - s.max(-1, keepdims=True))
    return w / w.sum(-1, keepdims=True) @ v
