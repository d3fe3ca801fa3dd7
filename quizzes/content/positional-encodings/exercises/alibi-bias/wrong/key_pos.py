"""Does: Your bias is the slope times j, as in BLOOM. In each row it differs from the bias asked for by the same number at every visible key, so that the weights are the same after the softmax.
Should: Here it should be minus the slope times (i - j).
Number: This is the slope times the position of the key, as in BLOOM; it should be minus the slope times the distance.
Step: alibi/with-a-cache
Kind: convention
Breaks: 3. A key that is not after the query gets minus the slope times the distance i - j.
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
    bias = slopes * (keys + 0 * queries)
    return np.where(keys > queries, -np.inf, bias)
