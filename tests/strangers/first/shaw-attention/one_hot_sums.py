"""Multiplies q with the whole table first and moves the scores and weights with a one-hot array.

Truth: right
Slips: none
Names: none
Says: A fair person would say: Correct. The table scores are computed once for each row of the table and then spread, and the weights are gathered the same way.
"""
import numpy as np


def shaw_attention(
    q: np.ndarray,
    k: np.ndarray,
    v: np.ndarray,
    key_table: np.ndarray,
    value_table: np.ndarray,
) -> np.ndarray:
    rows, D = key_table.shape
    c = rows // 2
    i, j = np.ogrid[: q.shape[2], : k.shape[2]]
    picked = np.eye(rows)[np.clip(j - i, -c, c) + c]

    content = np.einsum("bhid,bhjd->bhij", q, k)
    table_scores = np.einsum("bhid,rd->bhir", q, key_table)
    place = np.einsum("bhir,ijr->bhij", table_scores, picked)
    s = (content + place) * D**-0.5
    w = np.exp(s - s.max(axis=-1, keepdims=True))
    w = w / w.sum(axis=-1, keepdims=True)

    mass = np.einsum("bhij,ijr->bhir", w, picked)
    return w @ v + mass @ value_table
