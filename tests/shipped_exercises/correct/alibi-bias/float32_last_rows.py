"""The square matrix of all positions, of which the last Lq rows are kept; the mask is added."""

import numpy as np


def alibi_bias(n_heads, Lq, Lk):
    power = 2 ** int(np.log2(n_heads))
    base = np.float32(2.0)
    first = base ** (-8 * np.arange(1, power + 1, dtype=np.float32) / power)
    other = base ** (-4 * np.arange(1, 2 * power + 1, 2, dtype=np.float32) / power)
    slopes = np.concatenate([first, other])[:n_heads]
    distance = np.tril(np.subtract.outer(np.arange(Lk), np.arange(Lk))).astype(np.float32)
    mask = np.triu(np.full((Lk, Lk), -np.inf, dtype=np.float32), k=1)
    return (mask - slopes[:, None, None] * distance)[:, Lk - Lq :]
