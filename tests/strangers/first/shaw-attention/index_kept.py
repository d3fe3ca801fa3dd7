"""Keeps the index array of relative positions with a dictionary.

Truth: wrong
Slips: the kept index array is looked up by the two lengths, not by c, so tables of another size get the old rows
Names: kept-between-calls
Silent: yes
Says: A fair person would say: The rows also depend on c, the size of the tables, which your cache leaves out. A second call with the same lengths and a larger or smaller table picks wrong rows.
"""
import numpy as np

_index = {}


def relative_index(n_q, n_k, c):
    key = n_q, n_k
    if key not in _index:
        rel = np.arange(n_k) - np.arange(n_q)[:, None]
        _index[key] = np.maximum(np.minimum(rel, c), -c) + c
    return _index[key]


def shaw_attention(q, k, v, key_table, value_table):
    idx = relative_index(q.shape[2], k.shape[2], (key_table.shape[0] - 1) // 2)
    logits = np.einsum("bhid,bhjd->bhij", q, k) + np.einsum("bhid,ijd->bhij", q, key_table[idx])
    logits /= np.sqrt(q.shape[-1])
    logits -= logits.max(axis=-1, keepdims=True)
    p = np.exp(logits)
    p /= p.sum(axis=-1, keepdims=True)
    return np.einsum("bhij,bhjd->bhid", p, v) + np.einsum("bhij,ijd->bhid", p, value_table[idx])
