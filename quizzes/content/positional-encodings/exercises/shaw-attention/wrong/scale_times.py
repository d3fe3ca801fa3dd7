"""Does: You multiply the scores by sqrt(D).
Should: They should be divided by sqrt(D).
Step: why-order/what-attention-computes
Kind: mistake
Breaks: 3. The score of a pair is q (k + a) / sqrt(D).
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
    rows = relative.clip(-clip, clip) + clip
    key_vectors = key_table[rows]
    value_vectors = value_table[rows]

    on_keys = np.einsum("bhid,ijd->bhij", q, key_vectors)
    scores = (q @ k.swapaxes(-1, -2) + on_keys) * np.sqrt(head_dim)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = weights / weights.sum(axis=-1, keepdims=True)
    on_values = np.einsum("bhij,ijd->bhid", weights, value_vectors)
    return weights @ v + on_values
