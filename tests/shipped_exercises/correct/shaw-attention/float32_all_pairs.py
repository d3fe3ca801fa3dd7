"""Keys and values of their own for every query, in float32."""

import numpy as np


def shaw_attention(q, k, v, key_table, value_table):
    q, k, v, key_table, value_table = (
        array.astype(np.float32) for array in (q, k, v, key_table, value_table)
    )
    c = key_table.shape[0] // 2
    row = np.minimum(
        np.maximum(np.arange(k.shape[2]) - np.arange(q.shape[2])[:, None] + c, 0), 2 * c
    )
    keys = k[:, :, None] + key_table[row]
    values = v[:, :, None] + value_table[row]
    scores = (q[:, :, :, None] * keys).sum(-1) / np.sqrt(np.float32(q.shape[-1]))
    shares = np.exp(scores)
    shares /= shares.sum(-1, keepdims=True)
    return (shares[..., None] * values).sum(-2)
