"""Adds the relative scores to scaled dot products.

Truth: wrong
Slips: only the content scores are divided by sqrt(D), the scores of the key table are not
Names: keys_unscaled
Silent: yes
Says: A fair person would say: The whole score, with the part from key_table, is divided by sqrt(D). You divide only q·k, so the relative part counts too much.
"""
import numpy as np


def shaw_attention(q, k, v, key_table, value_table):
    D = q.shape[-1]
    c = (len(key_table) - 1) // 2
    distance = np.arange(k.shape[2])[None, :] - np.arange(q.shape[2])[:, None]
    distance = np.clip(distance, -c, c) + c
    scores = np.matmul(q, k.transpose(0, 1, 3, 2)) / np.sqrt(D)
    scores = scores + np.einsum("bhqd,qkd->bhqk", q, key_table[distance])
    exp = np.exp(scores - np.max(scores, axis=-1, keepdims=True))
    attn = exp / np.sum(exp, axis=-1, keepdims=True)
    out = np.matmul(attn, v)
    out = out + np.einsum("bhqk,qkd->bhqd", attn, value_table[distance])
    return out
