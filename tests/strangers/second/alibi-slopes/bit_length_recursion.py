"""Recursive, with bit_length for the power of two, as in the authors' code but with exponents of two.

Truth: right
Slips: none
Names: none
Says: A fair person would say: This is correct for every number of heads, in the authors' order.
"""

import numpy as np


def alibi_slopes(n_heads: int) -> np.ndarray:
    P = 1 << (int(n_heads).bit_length() - 1)
    if P == n_heads:
        return np.exp2(np.linspace(-8 / P, -8, P))
    more = alibi_slopes(2 * P)[::2]
    return np.concatenate([alibi_slopes(P), more[: n_heads - P]])
