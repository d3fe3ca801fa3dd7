"""The paper's formula for the slopes and a plain lower triangle.

Truth: wrong
Slips: the slopes of a number of heads that is no power of two come from the plain formula; the queries start at position 0 where Lq is smaller than Lk
Names: geometric_any_n, start_aligned
Silent: yes
Says: A fair person would say: For 3, 6 or 12 heads the authors' code takes the slopes of the largest power of two below and then every second one of twice as many, you take 2^(-8h/H). And with fewer queries than keys the queries are the last positions: row r is at r + Lk - Lq.
"""

import numpy as np


def alibi_bias(
    n_heads: int,
    Lq: int,
    Lk: int,
) -> np.ndarray:
    """What is added to causal scores."""
    slopes = 2.0 ** (-8.0 * np.arange(1, n_heads + 1) / n_heads)
    i = np.arange(Lq)[:, None]
    j = np.arange(Lk)[None, :]
    bias = -slopes[:, None, None] * (i - j)
    mask = j > i
    bias[:, mask] = -np.inf
    return bias
