"""Does: You let the left-over heads go on with the sequence of the first P heads, each slope times the same factor.
Should: They should be every second slope of 2P heads.
Step: alibi/any-head-count
Kind: mistake
Breaks: 5b. Left-over heads have every second slope of 2P heads.
"""

import numpy as np


def _slopes(n_heads: int) -> np.ndarray:
    power = 2 ** (n_heads.bit_length() - 1)
    return 2.0 ** (-8 * np.arange(1, n_heads + 1) / power)


def alibi_bias(n_heads: int, Lq: int, Lk: int) -> np.ndarray:
    """(n_heads, Lq, Lk) float64: -slope * (i - j) for j <= i, else -inf; queries are the last Lq."""
    slopes = _slopes(n_heads)[:, None, None]
    queries = np.arange(Lq)[:, None] + Lk - Lq
    keys = np.arange(Lk)[None, :]
    bias = slopes * (keys - queries)
    return np.where(keys > queries, -np.inf, bias)
