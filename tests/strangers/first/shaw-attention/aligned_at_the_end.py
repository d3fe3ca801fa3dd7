"""Lets the last query stand at the last key, as with a cache of keys.

Truth: wrong
Slips: the positions of the queries are shifted by Lk - Lq
Names: end_aligned
Silent: yes
Says: A fair person would say: Queries and keys both count from 0 here, so the relative position is j - i. You shift the queries to the end of the keys, which changes the rows when the lengths differ.
"""
import numpy as np


def shaw_attention(q, k, v, key_table, value_table):
    Lq, Lk, D = q.shape[2], k.shape[2], q.shape[3]
    c = (key_table.shape[0] - 1) // 2
    q_pos = np.arange(Lk)[Lk - Lq :] if Lq <= Lk else np.arange(Lq) + (Lk - Lq)
    idx = np.clip(np.arange(Lk)[None] - q_pos[:, None], -c, c) + c
    k_rel = k[:, :, None] + key_table[idx]
    v_rel = v[:, :, None] + value_table[idx]
    s = np.einsum("bhid,bhijd->bhij", q, k_rel) / np.sqrt(D)
    s = np.exp(s - s.max(-1, keepdims=True))
    return np.einsum("bhij,bhijd->bhid", s / s.sum(-1, keepdims=True), v_rel)
