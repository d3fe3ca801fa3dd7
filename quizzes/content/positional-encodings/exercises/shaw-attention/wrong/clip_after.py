"""Does: You clip the rows to the range from 0 to c, so all keys from the query's own position on share row c.
Should: The relative position should be clipped from -c to c before c is added, or the rows from 0 to 2c.
Step: relative-bias/table-lookup
Kind: mistake
Breaks: 2c. Row 0 of a table belongs to -c, the last one to c.
"""

import numpy as np


def shaw_attention(
    q: np.ndarray,
    k: np.ndarray,
    v: np.ndarray,
    key_table: np.ndarray,
    value_table: np.ndarray,
) -> np.ndarray:
    """(B, H, Lq, D): softmax(q (k + a) / sqrt(D)) (v + b), a and b by the clipped j - i."""
    n_queries, n_keys, head_dim = q.shape[-2], k.shape[-2], q.shape[-1]
    clip = key_table.shape[0] // 2
    relative = np.arange(n_keys)[None, :] - np.arange(n_queries)[:, None]
    rows = (relative + clip).clip(0, clip)
    key_vectors = key_table[rows]
    value_vectors = value_table[rows]

    on_keys = np.einsum("bhid,ijd->bhij", q, key_vectors)
    scores = (q @ k.swapaxes(-1, -2) + on_keys) / np.sqrt(head_dim)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = weights / weights.sum(axis=-1, keepdims=True)
    on_values = np.einsum("bhij,ijd->bhid", weights, value_vectors)
    return weights @ v + on_values
