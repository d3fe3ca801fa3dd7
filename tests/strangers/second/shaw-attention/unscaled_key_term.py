"""The usual scaled scores, to which the relative term is added.

Truth: wrong
Slips: the relative term of the scores is not divided by the root of D
Names: keys_unscaled
Silent: yes
Says: A fair person would say: The whole score q . (k + a) is divided by sqrt(D). You divide only q . k and add q . a as it is, so the key table counts too much.
"""

import numpy as np


def softmax(x, axis=-1):
    x = x - np.max(x, axis=axis, keepdims=True)
    e = np.exp(x)
    return e / np.sum(e, axis=axis, keepdims=True)


def shaw_attention(
    q: np.ndarray,
    k: np.ndarray,
    v: np.ndarray,
    key_table: np.ndarray,
    value_table: np.ndarray,
) -> np.ndarray:
    """Attention with vectors for relative positions."""
    Lq, Lk = q.shape[2], k.shape[2]
    c = key_table.shape[0] // 2
    relative = np.arange(Lk)[None, :] - np.arange(Lq)[:, None]
    index = np.clip(relative, -c, c) + c
    a = key_table[index]
    b = value_table[index]

    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    scores = scores + np.einsum("bhid,ijd->bhij", q, a)
    weights = softmax(scores)
    return weights @ v + np.einsum("bhij,ijd->bhid", weights, b)
