"""ALiBi's bias with the causal mask in it: Press et al. 2021, section 3, and the authors' slopes."""

import numpy as np


def _of_power_of_two(n: int) -> np.ndarray:
    return 2.0 ** (-8 * np.arange(1, n + 1) / n)


def _slopes(n_heads: int) -> np.ndarray:
    power = 2 ** (n_heads.bit_length() - 1)
    between = _of_power_of_two(2 * power)[0::2]
    return np.concatenate([_of_power_of_two(power), between[: n_heads - power]])


def alibi_bias(n_heads: int, Lq: int, Lk: int) -> np.ndarray:
    """(n_heads, Lq, Lk) float64: -slope * (i - j) for j <= i, else -inf; queries are the last Lq."""
    if not (n_heads >= 1 and 1 <= Lq <= Lk):
        raise ValueError("Lq is at most Lk, and all three numbers are at least 1")
    slopes = _slopes(n_heads)[:, None, None]
    queries = np.arange(Lq)[:, None] + Lk - Lq
    keys = np.arange(Lk)[None, :]
    bias = slopes * (keys - queries)
    return np.where(keys > queries, -np.inf, bias)
