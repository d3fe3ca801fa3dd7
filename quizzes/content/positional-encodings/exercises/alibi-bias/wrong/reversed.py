"""Does: You have the slopes in reverse order, the last head first.
Should: The slopes of P heads should come first, beginning with the steepest.
Step: alibi/any-head-count
Kind: mistake
Breaks: 5d. Left-over heads come last, and nothing is sorted.
"""

import numpy as np


def _of_power_of_two(n: int) -> np.ndarray:
    return 2.0 ** (-8 * np.arange(1, n + 1) / n)


def _slopes(n_heads: int) -> np.ndarray:
    power = 2 ** (n_heads.bit_length() - 1)
    between = _of_power_of_two(2 * power)[0::2]
    return np.concatenate([_of_power_of_two(power), between[: n_heads - power]])[::-1]


def alibi_bias(n_heads: int, Lq: int, Lk: int) -> np.ndarray:
    """(n_heads, Lq, Lk) float64: -slope * (i - j) for j <= i, else -inf; queries are the last Lq."""
    slopes = _slopes(n_heads)[:, None, None]
    queries = np.arange(Lq)[:, None] + Lk - Lq
    keys = np.arange(Lk)[None, :]
    bias = slopes * (keys - queries)
    return np.where(keys > queries, -np.inf, bias)
