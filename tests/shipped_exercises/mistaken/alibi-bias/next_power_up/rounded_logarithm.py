import math

import numpy as np


def alibi_bias(n_heads, Lq, Lk):
    rounded = 2 ** math.ceil(math.log2(n_heads))
    start = 2 ** (-8 / rounded)
    slopes = np.array([start ** (h + 1) for h in range(rounded)])[:n_heads]
    distance = np.arange(Lk - Lq, Lk)[:, None] - np.arange(Lk)
    bias = -slopes[:, None, None] * distance
    bias[:, distance < 0] = -np.inf
    return bias
