"""Indexes the tables with modulo and normalises the exponentials.

Truth: wrong
Slips: relative positions beyond c wrap around to other rows instead of being clipped; the softmax runs over the queries instead of the keys
Names: modulo, softmax_over_queries
Silent: yes
Says: A fair person would say: Relative positions beyond c belong to the outermost rows, so clip them instead of wrapping around. And the weights of each query must sum to 1 over the keys, the last axis.
"""
import numpy as np


def shaw_attention(q, k, v, key_table, value_table):
    n = key_table.shape[0]
    c = n // 2
    D = q.shape[-1]
    rel = np.arange(k.shape[2])[None, :] - np.arange(q.shape[2])[:, None]
    idx = (rel + c) % n
    scores = np.einsum("bhid,bhijd->bhij", q, k[:, :, None, :, :] + key_table[idx]) / np.sqrt(D)
    e = np.exp(scores - scores.max())
    w = e / e.sum(axis=-2, keepdims=True)
    return np.einsum("bhij,bhijd->bhid", w, v[:, :, None, :, :] + value_table[idx])
