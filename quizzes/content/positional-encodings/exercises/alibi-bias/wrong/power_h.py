"""Does: You give head h the slope 2^(-h), which is right for 8 heads only.
Should: It should be 2^(-8h/H), if the number of heads H is a power of two.
Step: alibi/any-head-count
Kind: mistake
Breaks: 5a. The first P heads have the slopes 2^(-8h/P), where P is the largest power of two that is not above H.
"""

import numpy as np


def _slopes(n_heads: int) -> np.ndarray:
    return 2.0 ** -np.arange(1.0, n_heads + 1)


def alibi_bias(n_heads: int, Lq: int, Lk: int) -> np.ndarray:
    """(n_heads, Lq, Lk) float64: -slope * (i - j) for j <= i, else -inf; queries are the last Lq."""
    slopes = _slopes(n_heads)[:, None, None]
    queries = np.arange(Lq)[:, None] + Lk - Lq
    keys = np.arange(Lk)[None, :]
    bias = slopes * (keys - queries)
    return np.where(keys > queries, -np.inf, bias)
