"""Bias as the sum of a penalty and a mask of ones times minus infinity.

Truth: wrong
Slips: a mask of zeros and ones is multiplied by minus infinity, which makes nan where the mask is 0
Names: none
Silent: yes
Says: A fair person would say: 0 times minus infinity is nan, so every visible key has nan. Use np.where or assign -np.inf at the later keys only.
"""

import numpy as np


def get_alibi_slopes(n):
    def get_slopes_power_of_2(n):
        start = 2 ** (-(2 ** -(np.log2(n) - 3)))
        return [start * start**i for i in range(n)]

    if np.log2(n).is_integer():
        return get_slopes_power_of_2(n)
    closest = 2 ** int(np.floor(np.log2(n)))
    return get_slopes_power_of_2(closest) + get_alibi_slopes(2 * closest)[0::2][: n - closest]


def alibi_bias(n_heads: int, Lq: int, Lk: int) -> np.ndarray:
    slopes = np.array(get_alibi_slopes(n_heads)).reshape(n_heads, 1, 1)
    positions = np.arange(Lk)
    relative = positions[None, :] - positions[-Lq:, None]
    penalty = slopes * np.minimum(relative, 0)
    future = np.triu(np.ones((Lq, Lk)), k=Lk - Lq + 1)
    return penalty + future * -np.inf
