"""Keeps the largest square bias for each number of heads and cuts the asked part out of it.

Truth: wrong
Slips: the kept square is cut at its own last rows, so after a call with more keys the queries have the wrong positions
Names: kept-between-calls
Silent: yes
Says: A fair person would say: The first call is right, but after a call with more keys you cut the last Lq rows of the larger square, which belong to later positions. Cut the rows Lk - Lq to Lk instead (or build the bias anew in each call).
"""

import numpy as np

_bias_for_heads = {}


def get_slopes(n_heads):
    p = 2 ** int(np.floor(np.log2(n_heads)))
    slopes = [2 ** (-8 * h / p) for h in range(1, p + 1)]
    extra = [2 ** (-8 * h / (2 * p)) for h in range(1, 2 * p + 1)][0::2]
    return np.array(slopes + extra[: n_heads - p])


def alibi_bias(n_heads: int, Lq: int, Lk: int) -> np.ndarray:
    # the biggest square is kept so that decoding does not rebuild it for every token
    table = _bias_for_heads.get(n_heads)
    if table is None or table.shape[-1] < Lk:
        pos = np.arange(Lk)
        distance = pos[:, None] - pos[None, :]
        table = -get_slopes(n_heads)[:, None, None] * distance
        table[:, distance < 0] = -np.inf
        _bias_for_heads[n_heads] = table
    return table[:, -Lq:, :Lk].copy()
