"""Does: You divide the bias by the square root of the number of heads.
Should: It should be added as it is, to scores that are scaled already.
Number: This is divided by the square root of the number of heads; the slope times the distance should not be divided.
Step: alibi/penalty
Kind: mistake
Breaks: 6. The numbers are not scaled.
"""

import numpy as np


def _of_power_of_two(n: int) -> np.ndarray:
    return 2.0 ** (-8 * np.arange(1, n + 1) / n)


def _slopes(n_heads: int) -> np.ndarray:
    power = 2 ** (n_heads.bit_length() - 1)
    between = _of_power_of_two(2 * power)[0::2]
    return np.concatenate([_of_power_of_two(power), between[: n_heads - power]])


def alibi_bias(n_heads: int, Lq: int, Lk: int) -> np.ndarray:
    """(n_heads, Lq, Lk) float64: -slope * (i - j) for j <= i, else -inf; queries are the last Lq."""
    slopes = _slopes(n_heads)[:, None, None]
    queries = np.arange(Lq)[:, None] + Lk - Lq
    keys = np.arange(Lk)[None, :]
    bias = slopes * (keys - queries) / np.sqrt(n_heads)
    return np.where(keys > queries, -np.inf, bias)
