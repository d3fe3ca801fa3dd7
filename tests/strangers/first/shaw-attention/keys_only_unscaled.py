"""Relative attention with a bias from the key table.

Truth: wrong
Slips: value_table is not used; the scores are not divided by sqrt(D)
Names: values_forgotten, no_scale
Silent: yes
Says: A fair person would say: The vectors of value_table must be added to the values, weighted like them. And the scores have to be divided by sqrt(D) before the softmax.
"""
import numpy as np


def shaw_attention(q, k, v, key_table, value_table):
    c = (key_table.shape[0] - 1) // 2
    offset = np.arange(k.shape[-2])[None, :] - np.arange(q.shape[-2])[:, None]
    rel_k = key_table[np.clip(offset, -c, c) + c]
    scores = q @ k.swapaxes(-1, -2) + np.einsum("bhqd,qkd->bhqk", q, rel_k)
    scores -= scores.max(axis=-1, keepdims=True)
    weights = np.exp(scores) / np.exp(scores).sum(axis=-1, keepdims=True)
    return weights @ v
