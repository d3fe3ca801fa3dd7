"""Scales the queries first and uses decoder attention.

Truth: wrong
Slips: q is divided in place, so the caller's array changes; keys after the query are masked out
Names: causal, in_place
Silent: yes
Says: A fair person would say: q /= changes the caller's array, so make a new one. And no mask is asked for: every query sees all keys.
"""
import numpy as np


def shaw_attention(q, k, v, key_table, value_table):
    Lq, Lk = q.shape[2], k.shape[2]
    c = (key_table.shape[0] - 1) // 2
    q /= np.sqrt(q.shape[-1])
    rel = np.arange(Lk)[None, :] - np.arange(Lq)[:, None]
    idx = np.clip(rel, -c, c) + c
    scores = q @ k.swapaxes(-1, -2) + np.einsum("bhid,ijd->bhij", q, key_table[idx])
    scores = np.where(rel > 0, -1e9, scores)
    w = np.exp(scores - scores.max(-1, keepdims=True))
    w /= w.sum(-1, keepdims=True)
    return w @ v + np.einsum("bhij,ijd->bhid", w, value_table[idx])
