"""A class that adds the vectors to keys and values by broadcasting one large array.

Truth: right
Slips: none
Names: none
Says: A fair person would say: Correct. It needs much memory, but adds the right vector to each key and value.
"""
from dataclasses import dataclass

import numpy as np


@dataclass
class Relative:
    table: np.ndarray

    def added_to(self, x, n_queries):
        c = (self.table.shape[0] - 1) // 2
        n_keys = x.shape[-2]
        idx = np.subtract.outer(np.arange(n_keys), np.arange(n_queries)).T
        return x[:, :, None, :, :] + self.table[idx.clip(-c, c) + c]


def shaw_attention(q, k, v, key_table, value_table):
    Lq, D = q.shape[-2:]
    keys = Relative(key_table).added_to(k, Lq)
    values = Relative(value_table).added_to(v, Lq)
    logits = (keys @ q[..., None])[..., 0] / np.sqrt(D)
    logits = logits - logits.max(-1, keepdims=True)
    weights = np.exp(logits)
    weights /= weights.sum(-1, keepdims=True)
    return (weights[..., None, :] @ values)[..., 0, :]
