"""Full broadcast of keys and values with their relative vectors.

Truth: wrong
Slips: relative position is query minus key; the values get the vectors of the key table
Names: sign, one_table
Silent: yes
Says: A fair person would say: j - i is key minus query, you have it the other way round, so earlier and later keys change places. And the vectors that join the values come from value_table, you use key_table for both.
"""

import numpy as np


def shaw_attention(q, k, v, key_table, value_table):
    D = q.shape[-1]
    Lq, Lk = q.shape[-2], k.shape[-2]
    c = (key_table.shape[0] - 1) // 2

    idx = np.arange(Lq)[:, None] - np.arange(Lk)[None, :]
    idx = np.clip(idx, -c, c) + c
    a_k = key_table[idx]  # (Lq, Lk, D)
    a_v = key_table[idx]  # (Lq, Lk, D)

    keys = k[:, :, None, :, :] + a_k
    values = v[:, :, None, :, :] + a_v
    s = np.sum(q[:, :, :, None, :] * keys, axis=-1) / np.sqrt(D)
    s -= s.max(axis=-1, keepdims=True)
    w = np.exp(s)
    w /= w.sum(axis=-1, keepdims=True)
    return np.sum(w[..., None] * values, axis=-2)
