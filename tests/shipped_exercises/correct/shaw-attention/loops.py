import numpy as np


def shaw_attention(q, k, v, key_table, value_table):
    batch, heads, n_queries, head_dim = q.shape
    clip = (len(key_table) - 1) // 2
    out = np.zeros((batch, heads, n_queries, head_dim))
    for b in range(batch):
        for h in range(heads):
            for i in range(n_queries):
                rows = [max(-clip, min(clip, j - i)) + clip for j in range(k.shape[2])]
                scores = np.array(
                    [q[b, h, i] @ (k[b, h, j] + key_table[r]) for j, r in enumerate(rows)]
                )
                weights = np.exp(scores / head_dim**0.5)
                weights /= weights.sum()
                out[b, h, i] = sum(
                    w * (v[b, h, j] + value_table[rows[j]]) for j, w in enumerate(weights)
                )
    return out
