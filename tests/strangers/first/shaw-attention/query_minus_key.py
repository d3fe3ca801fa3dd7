"""Relative positions from two aranges, gathered from the tables.

Truth: wrong
Slips: the relative position is i - j instead of j - i
Names: sign
Silent: yes
Says: A fair person would say: The relative position is key minus query, j - i. You have i - j, so keys before a query get the vectors meant for keys after it.
"""
import numpy as np


def shaw_attention(q, k, v, key_table, value_table):
    Lq, D = q.shape[-2], q.shape[-1]
    Lk = k.shape[-2]
    c = (key_table.shape[0] - 1) // 2
    rel = np.arange(Lq)[:, None] - np.arange(Lk)[None, :]
    idx = np.clip(rel, -c, c) + c
    a = key_table[idx]
    b = value_table[idx]
    scores = (q @ k.swapaxes(-1, -2) + np.einsum("bhid,ijd->bhij", q, a)) / np.sqrt(D)
    scores = scores - scores.max(axis=-1, keepdims=True)
    w = np.exp(scores)
    w /= w.sum(axis=-1, keepdims=True)
    return w @ v + np.einsum("bhij,ijd->bhid", w, b)
