"""Does: You take the slopes of the next higher power of two and cut them off after n_heads.
Should: For 12 heads they should be those of 8, then every second slope of 16.
Step: alibi/any-head-count
Kind: mistake
Breaks: 5a. The first P heads have the slopes 2^(-8h/P), where P is the largest power of two that is not above H.
"""

import numpy as np


def _of_power_of_two(n: int) -> np.ndarray:
    return 2.0 ** (-8 * np.arange(1, n + 1) / n)


def _slopes(n_heads: int) -> np.ndarray:
    power = 2 ** (n_heads - 1).bit_length()
    return _of_power_of_two(power)[:n_heads]


def alibi_bias(n_heads: int, Lq: int, Lk: int) -> np.ndarray:
    """(n_heads, Lq, Lk) float64: -slope * (i - j) for j <= i, else -inf; queries are the last Lq."""
    slopes = _slopes(n_heads)[:, None, None]
    queries = np.arange(Lq)[:, None] + Lk - Lq
    keys = np.arange(Lk)[None, :]
    bias = slopes * (keys - queries)
    return np.where(keys > queries, -np.inf, bias)
