import numpy as np


def shaw_attention(q, k, v, key_table, value_table):
    result = np.zeros(q.shape)
    for b, h, i in np.ndindex(q.shape[:3]):
        rows = [1 + max(-1, min(1, j - i)) for j in range(k.shape[2])]
        scores = (k[b, h] + key_table[rows]) @ q[b, h, i] / q.shape[3] ** 0.5
        weights = np.exp(scores - scores.max())
        result[b, h, i] = weights / weights.sum() @ (v[b, h] + value_table[rows])
    return result
