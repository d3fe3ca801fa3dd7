"""Scores against the whole table first, then picked; weights are summed by row of the table.

Truth: right
Slips: none
Names: none
Says: A fair person would say: This is correct: summing the weights by table row first gives the same values as adding a vector to each pair.
"""

import numpy as np


def shaw_attention(q, k, v, key_table, value_table):
    B, H, Lq, D = q.shape
    Lk = k.shape[2]
    rows = len(key_table)
    c = (rows - 1) // 2
    row = np.clip(np.arange(Lk) - np.arange(Lq)[:, None], -c, c) + c
    pick = np.eye(rows)[row]  # (Lq, Lk, rows)

    by_row = q @ key_table.T  # (B, H, Lq, rows)
    s = q @ np.swapaxes(k, 2, 3) + np.einsum("bhir,ijr->bhij", by_row, pick)
    s = s / D**0.5
    w = np.exp(s - s.max(axis=3, keepdims=True))
    w = w / w.sum(axis=3, keepdims=True)
    weight_of_row = np.einsum("bhij,ijr->bhir", w, pick)
    return w @ v + weight_of_row @ value_table
