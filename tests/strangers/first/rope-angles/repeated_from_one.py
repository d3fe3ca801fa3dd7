"""Follows the common embedding-style code with the frequencies written twice.

Truth: wrong
Slips: the columns are repeated so that there are head_dim of them; positions start at 1
Names: cat_full, pos_one
Silent: no
Says: A fair person would say: Return one column for each pair (head_dim // 2), not each one twice, and let the positions start at 0, where every cosine is 1.
"""
import numpy as np


def rope_cos_sin(n: int, head_dim: int, base: float = 10000.0):
    inv_freq = 1.0 / (base ** (np.arange(0, head_dim, 2) / head_dim))
    t = np.arange(1, n + 1)
    freqs = np.outer(t, inv_freq)
    emb = np.concatenate((freqs, freqs), axis=-1)
    return np.cos(emb), np.sin(emb)
