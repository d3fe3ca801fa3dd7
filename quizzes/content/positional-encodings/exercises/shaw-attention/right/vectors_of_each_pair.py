"""Keys and values of each pair of positions in one large array: (B, H, Lq, Lk, D)."""

import numpy as np


def shaw_attention(
    q: np.ndarray,
    k: np.ndarray,
    v: np.ndarray,
    key_table: np.ndarray,
    value_table: np.ndarray,
) -> np.ndarray:
    """(B, H, Lq, D): the vectors of a pair's distance are added to its key and its value."""
    clip = key_table.shape[0] // 2
    distance = np.arange(k.shape[-2])[None, :] - np.arange(q.shape[-2])[:, None]
    rows = np.clip(distance, -clip, clip) + clip
    keys = k[:, :, None] + key_table[rows]
    values = v[:, :, None] + value_table[rows]
    scores = np.einsum("bhid,bhijd->bhij", q, keys) / np.sqrt(q.shape[-1])
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights /= weights.sum(axis=-1, keepdims=True)
    return np.einsum("bhij,bhijd->bhid", weights, values)
