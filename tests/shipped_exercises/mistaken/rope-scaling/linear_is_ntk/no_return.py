import numpy as np


def scaled_inv_freq(head_dim, base, factor, kind):
    pairs = np.arange(0, head_dim, 2)
    if kind == "linear":
        inv_freq = base ** (-pairs / head_dim) / factor
    base = base * factor ** (head_dim / (head_dim - 2))
    inv_freq = base ** (-pairs / head_dim)
    return inv_freq.astype(np.float32)
