"""Uses one length for queries and keys.

Truth: wrong
Slips: the relative positions are made for the length of q in both directions, which raises when k is longer or shorter
Names: none
Silent: no
Says: A fair person would say: Lq and Lk may differ, but your table of relative positions is Lq by Lq, so adding it to the scores fails then. Count the keys with k.shape[2].
"""
import numpy as np


def shaw_attention(q, k, v, key_table, value_table):
    B, H, L, D = q.shape
    c = key_table.shape[0] // 2
    r = np.arange(L)
    idx = np.clip(r[None, :] - r[:, None], -c, c) + c
    scores = q @ np.swapaxes(k, 2, 3)
    scores = (scores + np.einsum("bhid,ijd->bhij", q, key_table[idx])) / np.sqrt(D)
    w = np.exp(scores - scores.max(-1, keepdims=True))
    w = w / w.sum(-1, keepdims=True)
    return w @ v + np.einsum("bhij,ijd->bhid", w, value_table[idx])
